import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { clean, freePort, ownFolder, startPostgres } from '../postgres.ts'
import { debianProgram } from './debian.ts'

// The contract suite through PgBouncer in transaction mode, five connections to a database for two hundred clients: `npm run pooler`.

const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-pooler-'))
chmodSync(folder, 0o755)
const done: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
try {
  const server = await startPostgres(path.join(folder, 'postgres'))
  done.unshift(() => clean(path.join(folder, 'postgres')))
  const [front, back] = [await freePort(), new URL(server).port]
  const own = await ownFolder(path.join(folder, 'postgres'), 'pooler') // PgBouncer, too, refuses to run as root
  const file = path.join(own, 'pgbouncer.ini')
  writeFileSync(file, `[databases]
* = host=127.0.0.1 port=${back} user=portal
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${front}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
max_client_conn = 200
ignore_startup_parameters = extra_float_digits
`)
  const pgbouncer = spawn(await debianProgram('pgbouncer'), ['--quiet', ...process.getuid?.() === 0 ? ['--user', 'nobody'] : [], file], { stdio: 'inherit' })
  done.unshift(() => pgbouncer.kill('SIGINT'))
  const pooler = `postgres://portal@127.0.0.1:${front}/postgres`
  const look = postgres(pooler, { max: 1, prepare: false, fetch_types: false })
  for (let tries = 0; await look`select 1`.then(() => false, () => tries++ < 50);) await sleep(100)
  await look`select 1`
  await look.end()

  const tap = spawn('npx', ['tap', ...process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['test/routes/**/*.test.ts', 'test/domain/*.test.ts']], {
    stdio: 'inherit', cwd: path.join(import.meta.dirname, '../..'), env: { ...process.env, TEST_DATABASE_URL: server, TEST_POOLER_URL: pooler }
  })
  process.exitCode = await new Promise<number>((resolve) => tap.on('close', (code) => resolve(code ?? 1)))
} finally {
  for (const each of done) await each()
}
