import { appendFileSync, chownSync, cpSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { syncRegistry } from '../../src/domain/registry.ts'
import { until } from '../helpers.ts'
import { clean, freePort, postgresTool, runPostgres, startPostgres } from '../postgres.ts'
import { publicFolder, startInstance } from './instances.ts'
import { caller, people } from './people.ts'

const settings = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']

t.test('the primary is gone and its standby promoted: writes go on within ten seconds, and nothing acknowledged is lost', async (t) => {
  const [first, second] = [path.join(publicFolder(t), 'first'), path.join(publicFolder(t), 'second')]
  t.teardown(async () => { await clean(first); await clean(second) })
  const url = await startPostgres(first, settings)
  const database = await openDatabase(url)
  await database.migrate(syncRegistry)
  await database.close()

  const data = (folder: string) => path.join(folder, 'data')
  const stop = (mode: string) => postgresTool(first, 'pg_ctl', '--pgdata', data(first), '--mode', mode, '--wait', 'stop')
  await stop('fast')
  await postgresTool(second, 'pg_ctl', '--version') // puts the programs there
  const [port, standbyPort] = [Number(new URL(url).port), await freePort()]
  cpSync(data(first), data(second), { recursive: true })
  const { uid, gid } = statSync(data(first))
  writeFileSync(path.join(data(second), 'standby.signal'), '')
  appendFileSync(path.join(data(second), 'postgresql.auto.conf'), `primary_conninfo = 'host=127.0.0.1 port=${port} user=portal'\n`)
  own(data(second), uid, gid)
  await runPostgres(first, port, [...settings, 'synchronous_standby_names=*'])
  await runPostgres(second, standbyPort, settings)
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  await until(async () => (await admin`select 1 from pg_stat_replication where sync_state = 'sync'`).length === 1)
  await admin.end()

  const DATABASE_URL = `postgres://portal@127.0.0.1:${port},127.0.0.1:${standbyPort}/postgres?target_session_attrs=read-write`
  const instances = await Promise.all([startInstance(t, { DATABASE_URL }), startInstance(t, { DATABASE_URL })])
  await Promise.all(instances.map((instance) => instance.ready()))
  const { call, close } = caller(() => instances[Math.random() < 0.5 ? 0 : 1]?.port ?? 0)
  t.teardown(close)
  const crowd = people(call, 8)
  await sleep(5000)

  await stop('immediate')
  const gone = performance.now()
  await postgresTool(second, 'pg_ctl', '--pgdata', data(second), '--wait', 'promote')
  const writing = await Promise.all(instances.map(async (instance, i) => {
    const own = caller(() => instance.port)
    t.teardown(own.close)
    await until(async () => (await own.call('POST', '/api/auth/register', { body: { email: `after-${i}-${Math.random()}@example.com`, password: 'correct horse battery', name: 'Ada' } }).catch(() => undefined))?.status === 201)
    return Math.round(performance.now() - gone)
  }))
  await sleep(3000)
  await crowd.stop()
  t.comment(`writing again after ${writing.join(' and ')} ms; ${crowd.acknowledged()} registered; answers: ${JSON.stringify(crowd.tally)}`)
  t.ok(Math.max(...writing) < 10_000)
  const { 200: ok = 0, 201: made = 0, 204: left = 0, 503: away = 0, ...others } = crowd.tally
  t.ok(ok > 0 && made > 0 && left > 0 && away > 0)
  t.same(others, {})
  t.same(await crowd.missing(call), [])
})

function own (folder: string, uid: number, gid: number) {
  for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) chownSync(path.join(folder, name), uid, gid)
}
