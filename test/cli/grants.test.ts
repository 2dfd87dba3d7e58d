import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { missingGrants } from '../../db/grants.ts'
import { expiredRows, oldActivity } from '../../src/domain/jobs/sweep.ts'
import { deleteOld } from '../../src/domain/jobs/delete-batches.ts'
import {
  aCaller,
  aRole,
  onPglite,
  ownApp,
  password,
  testDatabase,
  testDatabaseUrl
} from '../support/app.ts'
import { portal } from './run.ts'

const skip =
  onPglite || process.env.TEST_POOLER_URL ? 'needs a second role on a PostgreSQL server' : false

/** A client of a database that owns it, and the URL of a role that owns nothing in it. */
async function twoRoles(t: Test, { isMigrated = true } = {}) {
  const owner = await testDatabaseUrl(t)
  const client = postgres(owner, { max: 1, onnotice: () => {} })
  const role = `server_${randomBytes(6).toString('hex')}`
  const secret = randomBytes(12).toString('hex')
  if (!isMigrated) {
    await client.unsafe('drop schema public cascade; drop schema drizzle cascade')
    await client.unsafe('create schema public')
  }
  await client.unsafe(`create role ${role} login password '${secret}'`)
  t.teardown(async () => {
    await client.unsafe(`drop owned by ${role}; drop role ${role}`)
    await client.end()
  })
  const url = new URL(owner)
  Object.assign(url, { username: role, password: secret })
  return { client, role, env: { DATABASE_URL: url.href, MIGRATION_DATABASE_URL: owner } }
}

const grantsIn = (text: string): string[] => text.match(/GRANT [^;]*;/g) ?? []
const finding = (json: string, name: string) =>
  (JSON.parse(json) as { check: string }[]).find(({ check }) => check === name)

t.test("migrate and doctor print the grants that the server's role lacks", { skip }, async (t) => {
  const { client, role, env } = await twoRoles(t, { isMigrated: false })
  const first = await portal(['migrate'], { env })
  t.equal(first.code, 0, first.stderr)
  t.match(first.stderr, /The role of DATABASE_URL lacks privileges/)
  const grants = grantsIn(first.stderr)
  t.ok(grants.includes(`GRANT USAGE ON SCHEMA public TO ${role};`))
  t.ok(grants.includes(`GRANT SELECT, INSERT, UPDATE, DELETE ON TABLE public.users TO ${role};`))
  t.ok(grants.includes(`GRANT SELECT, INSERT, DELETE ON TABLE public.activity TO ${role};`))
  const doctor = await portal(['doctor', '--json'], { env })
  t.equal(doctor.code, 1)
  t.match(finding(doctor.stdout, 'privileges'), { result: 'problem' })
  t.same(grantsIn(doctor.stdout), grants)

  for (const grant of grants) await client.unsafe(grant)
  await client.unsafe(`revoke delete on sessions from ${role}`)
  const second = await portal(['migrate'], { env })
  t.match(second.stderr, /is up to date/)
  t.same(grantsIn(second.stderr), [`GRANT DELETE ON TABLE public.sessions TO ${role};`])

  await client.unsafe(`grant delete on sessions to ${role}`)
  const third = await portal(['migrate'], { env })
  t.same(grantsIn(third.stderr), [])
  const last = await portal(['doctor', '--json'], { env })
  t.match(finding(last.stdout, 'privileges'), { result: 'ok' })
})

t.test('the grants that migrate prints are sufficient for the server', { skip }, async (t) => {
  const { client, env } = await twoRoles(t)
  const { stderr } = await portal(['migrate'], { env })
  for (const grant of grantsIn(stderr)) await client.unsafe(grant)
  const database = await openDatabase(env.DATABASE_URL, { poolMax: 4 })
  t.teardown(() => database.close())
  const app = await ownApp(t, {}, database)
  const admin = await aCaller(app, 'admin')
  const { user, call } = await aCaller(app)
  const ok = async (name: string, response: ReturnType<typeof call>) => {
    const { statusCode, body } = await response
    t.ok(statusCode < 300, name, { statusCode, body })
  }
  const role = await aRole(database, 'users:read')
  await ok('read', call('GET', '/api/auth/me'))
  await ok('change the theme', call('PUT', '/api/user/theme', { theme: 'dark' }))
  await ok('grant', admin.call('PUT', `/api/admin/users/${user.id}/roles/${role}`))
  await ok('delete a role', admin.call('DELETE', `/api/admin/roles/${role}`))
  await ok('create a permission', admin.call('POST', '/api/admin/permissions', { key: 'a:b' }))
  await ok('delete a permission', admin.call('DELETE', '/api/admin/permissions/a:b'))
  await ok(
    'create a flag',
    admin.call('POST', '/api/admin/flags', {
      key: 'a',
      type: 'boolean',
      variants: { on: true, off: false },
      defaultVariant: 'on',
      offVariant: 'off'
    })
  )
  await ok('change a flag', admin.call('PATCH', '/api/admin/flags/a', { state: 'enabled' }))
  await ok('delete a flag', admin.call('DELETE', '/api/admin/flags/a'))
  await ok('list', admin.call('GET', '/api/admin/activity'))
  const changed = { currentPassword: password, newPassword: 'another horse battery' }
  await ok('change the password', call('PUT', '/api/user/password', changed))
  await ok('delete a user', admin.call('DELETE', `/api/admin/users/${user.id}`))
  await ok('log out', admin.call('POST', '/api/auth/logout'))
  await t.resolves(deleteOld(database.db, expiredRows['unused throttles'], 10))
  await t.resolves(deleteOld(database.db, oldActivity(1), 10))
})

t.test(
  "partitions have the privileges of the activity, and only the owner's",
  { skip },
  async (t) => {
    const { client, role, env } = await twoRoles(t)
    const { stderr } = await portal(['migrate'], { env })
    for (const grant of grantsIn(stderr)) await client.unsafe(grant)
    await client.unsafe(`alter default privileges grant all on tables to ${role}`)
    const partition = async (changes: object = {}, ...args: string[]) =>
      portal(['activity', 'partition', '--json', ...args], { env: { ...env, ...changes } })
    const wrong = { MIGRATION_DATABASE_URL: env.DATABASE_URL }
    const notTheOwner = /set MIGRATION_DATABASE_URL to the URL of the role portal\./
    const isRejected = { code: 1, stderr: new RegExp(`"not-the-owner".*${notTheOwner.source}`) }
    t.match(await partition(wrong), isRejected)
    await client`create view latest as select * from activity`
    t.match(await partition(), { code: 1, stderr: /"activity-extended".*: view latest\. / })
    await client`drop view latest`

    const first = await partition()
    t.equal(first.code, 0, first.stderr)
    t.match(JSON.parse(first.stdout), { converted: true, partitions: { length: 13 } })
    const rights = await client`
    select count(*)::int as tables,
      bool_and(has_table_privilege(${role}, oid, 'select') and
        has_table_privilege(${role}, oid, 'insert') and
        has_table_privilege(${role}, oid, 'delete')) as has,
      bool_or(has_table_privilege(${role}, oid, 'update') or
        has_table_privilege(${role}, oid, 'truncate')) as more
    from pg_class where relname ~ '^activity' and relkind in ('r', 'p')`
    t.match(rights, [{ tables: 14, has: true, more: false }])
    const doctor = async () =>
      finding((await portal(['doctor', '--json'], { env })).stdout, 'activity')
    t.match(await doctor(), { result: 'ok', finding: /^partitioned until .*, 12 months ahead$/ })

    // As after a change of the server's role: its new grants name the activity alone.
    await client.unsafe(`revoke all on activity_default from ${role}`)
    const lacking = grantsIn((await portal(['doctor', '--json'], { env })).stdout)
    t.same(lacking, [`GRANT SELECT ON TABLE public.activity_default TO ${role};`])
    for (const grant of lacking) await client.unsafe(grant)
    t.match(await doctor(), { result: 'ok' })

    await client`insert into activity (id, at, action, outcome, actor_type, source)
    values (gen_random_uuid(), '2999-12-31', 'auth.login', 'success', 'system', 'job')`
    t.match(await partition(), { code: 1, stderr: /portal activity partition --repair/ })
    t.match(await doctor(), { result: 'warning', finding: /in the default partition: 1$/ })
    t.match(await partition({}, '--repair'), { code: 0, stdout: /"moved":1,/ })
    const last = JSON.parse(first.stdout).partitions.at(-2).name
    await client`drop table ${client(last)}`
    t.match(await partition(wrong), isRejected, 'also when only a month is missing')
    t.match(await portal(['migrate'], { env: { ...env, ...wrong } }), {
      code: 1,
      stderr: notTheOwner
    })
    t.match(
      (await portal(['migrate'], { env })).stderr,
      `Created partitions of the activity: ${last}`
    )
  }
)

t.test('an embedded database is not partitioned', async (t) => {
  const env = { DATABASE_URL: 'pglite:memory' }
  t.match(await portal(['activity', 'partition'], { env }), { code: 2, stderr: /^An embedded/ })
})

t.test('the check of privileges covers every table of the portal', { skip }, async (t) => {
  const { client, role, env } = await twoRoles(t)
  const names = await client<{ name: string }[]>`select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`
  const database = await openDatabase(env.DATABASE_URL, { poolMax: 1 })
  t.teardown(() => database.close())
  const grants = (await missingGrants(database.db)).join('\n')
  t.ok(names.length > 0)
  for (const { name } of names) {
    const grant = `ON TABLE public.${name} TO ${role};`
    t.match(grants, grant, `db/schema must export the table ${name}`)
  }
})

t.test('the owner of the tables lacks nothing', async (t) => {
  t.same(await missingGrants((await testDatabase(t)).db), [])
})

t.test('with ACTIVITY_FORGET the server needs UPDATE on the activity', { skip }, async (t) => {
  const { client, role, env } = await twoRoles(t)
  const forgets = { ...env, ACTIVITY_FORGET: 'true' }
  const { stderr } = await portal(['migrate'], { env })
  for (const grant of grantsIn(stderr)) await client.unsafe(grant)
  t.same(grantsIn((await portal(['migrate'], { env })).stderr), [])
  const missing = [`GRANT UPDATE ON TABLE public.activity TO ${role};`]
  t.same(grantsIn((await portal(['migrate'], { env: forgets })).stderr), missing)
  for (const grant of missing) await client.unsafe(grant)
  t.same(grantsIn((await portal(['migrate'], { env: forgets })).stderr), [])
})
