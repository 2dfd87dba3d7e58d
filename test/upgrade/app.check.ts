import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import ts from 'typescript'
import { randomText } from '../../src/domain/crypto.ts'
import { portalProcess, visitor } from '../cli/run.ts'
import { cookieOf, password, temporaryFolder } from '../support/app.ts'
import { emptyDatabaseUrl } from '../support/empty-database.ts'
import { freePort } from '../support/postgres.ts'
import { built, root } from '../support/root.ts'
import { post, startServer } from '../support/server-process.ts'
import { buildOf, hasCommit } from './previous-build.ts'

// `npm run check -- upgrade`: an app that was built on an earlier portal.

/** The first commit on which an app can be built. */
const firstWithApps = '83bf778a'

const skip = (await hasCommit(firstWithApps)) ? false : 'the clone does not have the commit'

/** A copy of examples/orders of a checkout, in JavaScript, with its packages. */
function copyOfOrders(t: Test, checkout: string, packages: string) {
  const folder = path.join(temporaryFolder(t), 'orders')
  cpSync(path.join(checkout, 'examples/orders'), folder, { recursive: true })
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.startsWith('app/') || !name.endsWith('.ts')) continue
    const file = path.join(folder, name)
    const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2022,
        rewriteRelativeImportExtensions: true
      }
    })
    writeFileSync(file.replace(/ts$/, 'js'), outputText)
    rmSync(file)
  }
  symlinkSync(path.join(packages, 'node_modules'), path.join(folder, 'node_modules'))
  return path.join(folder, 'app')
}

/** Adds migrations to an app, which are older and newer than all of the portal. */
function addMigrations(app: string, texts: Record<string, [when: number, text: string]>) {
  const file = path.join(app, 'migrations/meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: object[] }
  for (const [tag, [when, text]] of Object.entries(texts)) {
    writeFileSync(path.join(app, `migrations/${tag}.sql`), text)
    journal.entries.push({
      idx: journal.entries.length,
      version: '7',
      when,
      tag,
      breakpoints: true
    })
  }
  writeFileSync(file, JSON.stringify(journal))
}

t.test('an app on the first build that has apps', { skip }, async (t) => {
  const first = await buildOf(t, firstWithApps)
  for (const [engine, databaseUrl] of Object.entries({
    PostgreSQL: emptyDatabaseUrl,
    PGlite: async (t: Test) => `pglite:${temporaryFolder(t)}/db`
  })) {
    t.test(`keeps running on this one, with all migrations of both: ${engine}`, async (t) => {
      const env = {
        NODE_ENV: 'development',
        ALLOWED_HOSTS: '127.0.0.1',
        HOST: '127.0.0.1',
        PORT: String(await freePort()), // a part of the name of the cookie
        SECRET_KEYS: `k1:${randomText()}`,
        DATABASE_URL: await databaseUrl(t)
      }
      const start = async (build: string, APP: string) => {
        const script = path.join(build, 'src/server.js')
        return (await startServer(t, { ...env, APP }, undefined, script)).ready()
      }
      const account = { email: 'ada@example.com', password }

      const old = copyOfOrders(t, first.folder, first.folder)
      const before = await start(first.build, old)
      await post(before, '/api/auth/register', { ...account, name: 'Ada Lovelace' })
      const login = await post(before, '/api/auth/login', account)
      const headers = { 'set-cookie': login.headers.getSetCookie() }
      const cookie = cookieOf({ statusCode: login.status, headers })
      const placed = await post(before, '/api/orders', { item: 'A lamp' }, cookie)
      t.equal(placed.status, 201)
      const lamp: unknown = await placed.json()
      before.process.kill('SIGTERM')
      await before.exit

      const app = copyOfOrders(t, first.folder, root)
      addMigrations(app, {
        '0001_later': [4_000_000_000_000, 'ALTER TABLE "app"."orders" ADD COLUMN "later" text;'],
        '0002_earlier': [1_000_000_000_000, 'ALTER TABLE "app"."orders" ADD COLUMN "earlier" text;']
      })
      const run = (...args: string[]) => portalProcess([...args, '--app', app], { env })
      t.match(await run('app', 'check'), { code: 0 })
      t.match((await run('doctor')).stdout, /✗ schema: lacks 00\d\d_\w+ and \d+ more migrations/)
      t.match(await run('migrate'), { code: 0, stderr: /was updated/ })
      t.match((await run('doctor')).stdout, /✓ schema: up to date/)
      await visitor(env.DATABASE_URL)(async ({ db }) => {
        await t.resolves(db.execute(sql`select later, earlier from app.orders`))
        const journal = sql`drizzle.__app_migrations`
        t.equal(await db.$count(journal), 3)
      })

      const now = await start(built, app)
      const read = async (url: string) => {
        const response = await fetch(now.base + url, { headers: { cookie } })
        return response.headers.get('content-type')?.includes('json')
          ? ((await response.json()) as unknown)
          : response.status
      }
      t.same(await read('/api/orders'), [lamp], 'the session and the order are still there')
      t.equal((await post(now, '/api/orders', { item: 'A chair' }, cookie)).status, 201)
      t.match(await read('/api/user/export'), { app: { orders: { length: 2 } } })
      const { id } = lamp as { id: string }
      const shipment = await post(now, `/api/orders/${id}/shipment`, { carrier: 'Hermes' }, cookie)
      t.match(await shipment.json(), { status: 403, code: 'permission-denied' })
      t.equal(await read('/'), 200, 'its page is served')
      const evil = { email: 'eve@example.net', password, name: 'Eve' }
      const refused = await post(now, '/api/auth/register', evil)
      t.match(await refused.json(), { code: 'registration-refused' }, 'its hook is asked')
    })
  }
})
