import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { portal } from '../cli/run.ts'
import { until } from '../support/app.ts'
import { clean, freePort, ownFolder, startPostgres } from '../support/postgres.ts'
import { debianProgram } from './debian.ts'
import { publicFolder } from './instances.ts'

/** Debian's Pgpool-II in front of a server, and the URL of the database behind it. */
async function startPgpool(t: Test, folder: string, server: string, balance: 'on' | 'off') {
  const port = await freePort()
  const own = await ownFolder(folder, `pgpool-${balance}`)
  const file = path.join(own, 'pgpool.conf')
  const settings = {
    backend_clustering_mode: 'streaming_replication',
    listen_addresses: '127.0.0.1',
    port,
    socket_dir: own,
    pcp_listen_addresses: '',
    pcp_socket_dir: own,
    pid_file_name: path.join(own, 'pgpool.pid'),
    logdir: own,
    pool_passwd: '',
    backend_hostname0: '127.0.0.1',
    backend_port0: new URL(server).port,
    sr_check_user: 'portal',
    num_init_children: 8,
    load_balance_mode: balance
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  writeFileSync(file, lines.join(''))
  const pgpool = await debianProgram('pgpool', 'pgpool2')
  const child = spawn(pgpool, ['-n', '-f', file], { stdio: 'ignore' })
  const ended = once(child, 'close')
  t.teardown(async () => {
    child.kill('SIGINT')
    await ended
  })
  const url = `postgres://portal@127.0.0.1:${port}/postgres`
  const database = await openDatabase(url, { poolMax: 1 })
  t.teardown(() => database.close())
  await until(async () =>
    database.db.execute('select 1').then(
      () => true,
      () => false
    )
  )
  return url
}

t.test('doctor recognizes a Pgpool-II that balances reads', async (t) => {
  const folder = path.join(publicFolder(t), 'postgres')
  const server = await startPostgres(folder)
  t.teardown(() => clean(folder))
  const finding = async (url: string) => {
    const { stdout } = await portal(['doctor', '--json'], { env: { DATABASE_URL: url } })
    const findings = JSON.parse(stdout) as { check: string; result: string; finding: string }[]
    return findings.find(({ check }) => check === 'server')
  }
  t.match(await finding(await startPgpool(t, folder, server, 'on')), {
    result: 'problem',
    finding: /something balances reads: Pgpool-II has load_balance_mode on$/
  })
  t.match(await finding(await startPgpool(t, folder, server, 'off')), { result: 'ok' })
  t.match(await finding(server), { result: 'ok' })
})
