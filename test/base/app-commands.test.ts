// Also on PGlite.

import { randomBytes } from 'node:crypto'
import path from 'node:path'
import postgres from 'postgres'
import t from 'tap'
import { portal, visitor } from '../cli/run.ts'
import { onPglite, temporaryFolder, testDatabaseUrl } from '../support/app.ts'
import { anApp, orders } from './own-migrations.ts'

const onServer = { skip: onPglite ? 'needs a second role on a PostgreSQL server' : false }

interface Finding {
  check: string
  result: string
  finding: string
  todo?: string
}

const findingsOf = (json: string, check: string) =>
  (JSON.parse(json) as Finding[]).filter((finding) => finding.check === check)

t.test('migrate applies the migrations of the app that it names', async (t) => {
  const env = { DATABASE_URL: await testDatabaseUrl(t) }
  const app = anApp(t, { '0000_orders': orders })
  t.match(await portal(['migrate'], { env }), { code: 0, stderr: /is up to date/ })
  const doctor = await portal(['doctor', '--app', app, '--json'], { env })
  t.match(findingsOf(doctor.stdout, 'schema'), [
    {
      result: 'problem',
      finding: 'lacks app/0000_orders',
      todo: `Run: portal migrate --app ${app}`
    }
  ])
  t.match(await portal(['migrate', '--app', app], { env }), { code: 0, stderr: /was updated/ })
  t.match(await portal(['migrate', '--app', app], { env }), { code: 0, stderr: /is up to date/ })
})

t.test('migrate names the file of a migration that it refuses, in one line', async (t) => {
  const env = { DATABASE_URL: await testDatabaseUrl(t) }
  const app = anApp(t, { '0000_reach': 'DROP TABLE "sessions" CASCADE;' })
  const refused = await portal(['migrate', '--app', app], { env })
  t.equal(refused.code, 1)
  t.match(refused.stderr, `${path.join(app, 'migrations/0000_reach.sql')} drops table sessions`)
  t.equal(refused.stderr.trimEnd().split('\n').length, 1)
  const nowhere = path.join(temporaryFolder(t), 'nothing')
  t.match(await portal(['migrate', '--app', nowhere], { env }), {
    code: 1,
    stderr: /^There is no folder/
  })
  const doctor = await portal(['doctor', '--app', nowhere, '--json'], { env })
  t.match(findingsOf(doctor.stdout, 'app'), [{ result: 'problem', finding: /^There is no folder/ }])
})

const tables = [
  ...orders,
  'CREATE TABLE "app"."order_items" ("id" uuid PRIMARY KEY, "user_id" uuid);',
  'CREATE INDEX "items_user" ON "app"."order_items" ("user_id");',
  'CREATE TABLE "app"."comments" ("id" uuid PRIMARY KEY, "author" uuid REFERENCES "users"("id") ON DELETE cascade);',
  'CREATE INDEX "comments_late" ON "app"."comments" ("id", "author");',
  'CREATE TABLE "app"."kinds" ("id" uuid PRIMARY KEY);'
]

t.test(
  'doctor finds data of users without an export or an index, and unused permissions',
  async (t) => {
    const url = await testDatabaseUrl(t)
    const env = { DATABASE_URL: url }
    const definition = `{
    permissions: { 'orders:read': 'See orders', 'orders:ship': 'Ship orders' },
    exports: { orders: async () => [], orderItems: async () => [] }
  }`
    const app = anApp(t, { '0000_tables': tables }, definition)
    await portal(['migrate', '--app', app], { env })
    await visitor(url)(async ({ db }) => {
      await db.execute(`insert into permissions (key) values ('orders:read'), ('orders:ship')
      on conflict do nothing`)
      await db.execute(`insert into role_permissions (role_id, permission_key)
      select id, 'orders:read' from roles where key = 'user' on conflict do nothing`)
    })
    const examine = async (folder: string) => {
      const { stdout } = await portal(['doctor', '--app', folder, '--json'], { env })
      return findingsOf(stdout, 'app')
    }
    t.match(await examine(app), [
      { result: 'warning', finding: /no export describes: comments$/, todo: /portal\.mjs/ },
      { result: 'warning', finding: /reads the whole table: comments\.author, orders\.user_id$/ },
      {
        result: 'warning',
        finding: /no role but admin has: orders:ship$/,
        todo: /grant ROLE orders:ship/
      }
    ])
    const withIndexes = [
      'CREATE INDEX "orders_of" ON "app"."orders" ("user_id");',
      'CREATE INDEX "comments_of" ON "app"."comments" ("author");'
    ]
    const complete = `{ exports: { orders: async () => [], orderItems: async () => [], comments: async () => [] } }`
    const mended = anApp(t, { '0000_tables': tables, '0001_indexes': withIndexes }, complete)
    await portal(['migrate', '--app', mended], { env })
    t.match(await examine(mended), [{ result: 'ok' }])
  }
)

t.test(
  'migrate prints the grants that the server needs for the tables of an app',
  onServer,
  async (t) => {
    const owner = await testDatabaseUrl(t)
    const client = postgres(owner, { max: 1, onnotice: () => {} })
    const role = `server_${randomBytes(6).toString('hex')}`
    await client.unsafe(`create role ${role} login password 'portal'`)
    t.teardown(async () => {
      await client.unsafe(`drop owned by ${role}; drop role ${role}`)
      await client.end()
    })
    const url = new URL(owner)
    Object.assign(url, { username: role, password: 'portal' })
    const env = { DATABASE_URL: url.href, MIGRATION_DATABASE_URL: owner }
    const counted = 'CREATE TABLE "app"."numbered" ("id" serial PRIMARY KEY);'
    const app = anApp(t, { '0000_tables': [...orders, counted] })
    const grantsOf = async (args: string[]) =>
      (await portal(args, { env })).stderr.match(/GRANT [^;]*;/g) ?? []
    t.notMatch((await grantsOf(['migrate'])).join(), /app/, 'without the app they are not needed')
    const grants = await grantsOf(['migrate', '--app', app])
    for (const grant of grants) await client.unsafe(grant)
    t.same(grants.filter((grant) => grant.includes('app')).sort(), [
      `GRANT SELECT ON TABLE drizzle.__app_migrations TO ${role};`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON TABLE app.numbered TO ${role};`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON TABLE app.orders TO ${role};`,
      `GRANT USAGE ON ALL SEQUENCES IN SCHEMA app TO ${role};`,
      `GRANT USAGE ON SCHEMA app TO ${role};`
    ])
    t.same(await grantsOf(['migrate', '--app', app]), [])
    await visitor(url.href)(async ({ db }) => {
      await t.resolves(db.execute('insert into app.numbered default values'))
    })
  }
)

t.test(
  'a role that is called app cannot have its search path changed by an app',
  onServer,
  async (t) => {
    const owner = await testDatabaseUrl(t)
    const client = postgres(owner, { max: 1, onnotice: () => {} })
    await client`create role app login superuser password 'portal'`
    t.teardown(async () => {
      await client`drop owned by app`
      await client`drop role app`
      await client.end()
    })
    const url = new URL(owner)
    Object.assign(url, { username: 'app', password: 'portal' })
    const app = anApp(t, { '0000_orders': orders })
    const refused = await portal(['migrate', '--app', app], { env: { DATABASE_URL: url.href } })
    t.match(refused, { code: 1, stderr: /search path of a role called app: use another role/ })
    t.same(await client`select 1 from pg_namespace where nspname = 'app'`, [])
  }
)
