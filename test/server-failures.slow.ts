import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../db/client.ts'
import { aServerRole } from './cli/server-role.ts'
import { onPglite, password, temporaryFolder, testDatabaseUrl, until } from './support/app.ts'
import { freePort } from './support/postgres.ts'
import { post, startDevelopment } from './support/server-process.ts'
import { stoppableProxy } from './support/stoppable-proxy.ts'

const failures: [
  what: string,
  env: (t: Test) => Promise<Record<string, string>> | Record<string, string>,
  code: number,
  says: RegExp
][] = [
  [
    'in production without variables',
    () => ({ NODE_ENV: '' }),
    1,
    /PUBLIC_ORIGIN is not set.*\n.*DATABASE_URL is not set.*\n.*SECRET_KEYS is not set/
  ],
  [
    'with an invalid variable',
    () => ({ BCRYPT_COST: 'canary' }),
    1,
    /BCRYPT_COST must be a whole number from 10 to 15/
  ],
  [
    'with a data directory that cannot be created',
    (t) => {
      const file = path.join(temporaryFolder(t), 'file')
      writeFileSync(file, '')
      return { DATABASE_URL: `pglite:${file}/db` }
    },
    5,
    /The data directory .* cannot be created \(ENOTDIR\)/
  ],
  [
    'with a directory that does not belong to PGlite',
    (t) => {
      const folder = path.join(temporaryFolder(t), 'db')
      mkdirSync(folder)
      writeFileSync(path.join(folder, 'PG_VERSION'), '3\n')
      return { DATABASE_URL: `pglite:${folder}` }
    },
    5,
    /cannot be opened.*move the directory away/
  ],
  [
    'on a host that is not this machine',
    async (t) => ({ DATABASE_URL: await testDatabaseUrl(t), HOST: 'nowhere.invalid' }),
    1,
    /HOST is not an address of this machine|cannot listen on HOST/
  ]
]
for (const [what, env, code, says] of failures) {
  t.test(`a start ${what} ends with a helpful message and nothing else`, async (t) => {
    const server = await startDevelopment(t, await env(t))
    t.equal(await server.exit, code)
    t.match(server.output(), says)
    t.notMatch(server.output(), /\n\s+at |canary/, 'no stack, no value')
  })
}

if (!onPglite) {
  t.test('a start whose role lacks a privilege says which, without a statement', async (t) => {
    const url = await testDatabaseUrl(t)
    const role = await aServerRole(t, url, sql`drizzle.__drizzle_migrations`)
    const outdated = await openDatabase(url)
    await outdated.db.execute(sql`delete from drizzle.__drizzle_migrations
      where id = (select max(id) from drizzle.__drizzle_migrations)`)
    await outdated.close()
    for (const env of [{ DATABASE_URL: role }, { DATABASE_URL: role, NODE_ENV: 'production' }]) {
      const server = await startDevelopment(t, {
        MIGRATE_ON_START: 'true',
        PUBLIC_ORIGIN: 'http://localhost:3000',
        HOST: '127.0.0.1',
        SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
        ...env
      })
      t.equal(await server.exit, 1)
      t.match(server.output(), /lacks a privilege/)
      t.notMatch(server.output(), /\n\s+at |Failed query|alter table|create (table|index)/i)
    }
  })
}

t.test('the server waits for an unavailable database, and logs the reason once', async (t) => {
  const port = await freePort()
  const there = onPglite ? 'postgres://portal@127.0.0.1/portal' : await testDatabaseUrl(t)
  const url = new URL(there)
  url.port = String(port)
  const server = await startDevelopment(t, {
    DATABASE_URL: url.href,
    NODE_ENV: 'production',
    PUBLIC_ORIGIN: 'http://localhost:3000',
    HOST: '127.0.0.1',
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
    MIGRATE_ON_START: 'true'
  })
  const health = async () => (await fetch(`${server.base}/health`).catch(() => undefined))?.json()
  await until(
    async () => JSON.stringify(await health()) === '{"status":"unavailable","reason":"database"}'
  )
  t.equal(
    (await post(server, '/api/auth/login', { email: 'ada@example.com', password })).status,
    503
  )
  t.match(
    server.output(),
    /"reason":"nothing is listening there","msg":"not ready: the database is unavailable"/
  )
  t.notMatch(server.output(), 'not deleted', 'no job is tried before the database is there')
  if (!onPglite) {
    const way = await stoppableProxy(t, there, port)
    await until(async () => JSON.stringify(await health()) === '{"status":"ok"}')
    way.cut()
  }
  server.process.kill('SIGTERM')
  t.equal(await server.exit, 0)
})

t.test('a port in use is reported, and the server does not say that it is ready', async (t) => {
  const url = await testDatabaseUrl(t)
  const first = await (await startDevelopment(t, { DATABASE_URL: url })).ready()
  const second = await startDevelopment(t, {
    DATABASE_URL: onPglite ? await testDatabaseUrl(t) : url,
    PORT: new URL(first.base).port
  })
  t.equal(await second.exit, 1)
  t.match(second.output(), /Another process uses the port/)
  t.notMatch(second.output(), /\bready\b/)
  t.match(first.output(), /listening on[^]*\bready\b/, 'and the first says so once it listens')
})

if (onPglite) {
  t.test(
    'a second server on the same directory stops and names the first, which keeps running',
    async (t) => {
      const env = { DATABASE_URL: await testDatabaseUrl(t) }
      const first = await (await startDevelopment(t, env)).ready()
      const second = await startDevelopment(t, env)
      t.equal(await second.exit, 5)
      t.match(second.output(), new RegExp(`in use by process ${first.process.pid}`))
      t.equal((await fetch(`${first.base}/health`)).status, 200)
    }
  )
}
