import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { freePort, ownFolder } from '../support/postgres.ts'
import { debianProgram } from './debian.ts'

/**
 * Debian's PgBouncer in front of a server of startPostgres, in transaction mode, with five
 * connections to a database for two hundred clients.
 * @param folder of the server, whose owner runs PgBouncer as well, because it rejects root
 */
export async function startPgbouncer(folder: string, server: string) {
  const port = await freePort()
  const own = await ownFolder(folder, 'pooler')
  const file = path.join(own, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${new URL(server).port} user=portal
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = portal
pool_mode = transaction
default_pool_size = 5
max_client_conn = 200
ignore_startup_parameters = extra_float_digits
`
  )
  const child = spawn(
    await debianProgram('pgbouncer'),
    ['--quiet', ...(process.getuid?.() === 0 ? ['--user', 'nobody'] : []), file],
    { stdio: ['ignore', 'inherit', 'inherit'] }
  )
  const ended = once(child, 'close')
  const console = postgres(`postgres://portal@127.0.0.1:${port}/pgbouncer`, {
    max: 1,
    prepare: false,
    fetch_types: false,
    backoff: () => 0.1
  })
  const clients = () =>
    console
      .unsafe<
        {
          database: string
          cl_active: string
          cl_waiting: string
          sv_active: string
          sv_idle: string
        }[]
      >('show pools')
      .simple()
  for (
    let tries = 0;
    await clients().then(
      () => false,
      () => tries++ < 50
    );
  ) {
    await sleep(100)
  }
  return {
    url: `postgres://portal@127.0.0.1:${port}/postgres`,
    /** The current clients of PgBouncer and its connections to the server. */
    async connections() {
      const pool = (await clients()).find(({ database }) => database === 'postgres')
      return {
        clients: Number(pool?.cl_active ?? 0) + Number(pool?.cl_waiting ?? 0),
        servers: Number(pool?.sv_active ?? 0) + Number(pool?.sv_idle ?? 0)
      }
    },
    async stop() {
      await console.end({ timeout: 1 })
      child.kill('SIGINT')
      await ended
    }
  }
}
