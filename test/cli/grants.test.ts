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
