import { and, eq } from 'drizzle-orm'
import t from 'tap'
import type { Database } from '../../db/client.ts'
import { permissions, rolePermissions, roles } from '../../db/schema/roles.ts'
import { findSystemRoles, isUpToDate, syncRegistry } from '../../src/domain/access/registry.ts'
import { createPermission } from '../../src/domain/access/custom-permissions.ts'
import { activityOf, aCaller, aRole, operator, testDatabase } from '../support/app.ts'
import { testConsole } from '../support/console.ts'
import { appWith, loadedApp, own } from './own-app.ts'

const read = 'orders:read'
const ship = 'orders:ship'
const first = {
  permissions: { [read]: 'See orders', [ship]: 'Ship orders' },
  grants: { user: [read] }
}
/** The next version, which no longer ships. */
const second = {
  permissions: { [read]: 'See orders', 'orders:pack': 'Pack orders' },
  grants: { user: [read] }
}

const holdersOf = async ({ db }: Database, key: string) =>
  (
    await db
      .select({ role: roles.key })
      .from(rolePermissions)
      .innerJoin(roles, eq(roles.id, rolePermissions.roleId))
      .where(eq(rolePermissions.permissionKey, key))
  )
    .map(({ role }) => role)
    .sort()

const stored = async ({ db }: Database, key: string) =>
  (await db.select().from(permissions).where(eq(permissions.key, key))).at(0)

const sync = (database: Database, app: Parameters<typeof syncRegistry>[1]) =>
  database.migrate((db) => syncRegistry(db, app))

t.test('a route of the app is for those who have its permission', async (t) => {
  const app = await appWith(t, first, {
    async routes(app) {
      for (const permission of [read, ship]) {
        app.get(`/orders/${permission.slice(7)}`, {
          config: { access: { permission: own(permission) } },
          schema: {
            operationId: permission.slice(7),
            response: { 200: { type: 'object', additionalProperties: false, properties: {} } }
          },
          handler: async () => ({})
        })
      }
    }
  })
  const statuses = async (...given: string[]) => {
    const { call } = await aCaller(app, ...given)
    const responses = [await call('GET', '/api/orders/read'), await call('GET', '/api/orders/ship')]
    return responses.map(({ statusCode }) => statusCode)
  }
  t.same(await statuses(), [200, 403], 'the role user has what `grants` says')
  t.same(await statuses('admin'), [200, 200])
  t.same(await statuses(await aRole(app.database, ship)), [200, 200])
  const { call } = await aCaller(app, 'admin')
  t.match((await call('GET', `/api/admin/permissions/${ship}`)).json(), {
    description: 'Ship orders',
    system: true
  })
  t.equal((await call('DELETE', `/api/admin/permissions/${ship}`)).json().code, 'system-entity')
})

t.test('permissions of the app are marked, and those of the portal are not', async (t) => {
  const database = await testDatabase(t)
  t.equal(await isUpToDate(database, first), false)
  await sync(database, first)
  t.equal(await isUpToDate(database, first), true)
  t.match(await stored(database, ship), { origin: 'app', system: true })
  t.match(await stored(database, 'users:read'), { origin: null, system: true })
  t.same(await holdersOf(database, read), ['admin', 'user'])
  t.same(await holdersOf(database, ship), ['admin'])
})

t.test('an instance is not ready while the database lacks permissions of its app', async (t) => {
  const app = await appWith(t, first, { config: { MIGRATE_ON_START: false } })
  t.match((await app.inject('/health')).json(), { status: 'unavailable', reason: 'migrations' })
  await sync(app.database, first)
  await app.readiness.look()
  t.equal((await app.inject('/health')).statusCode, 200)
})

t.test('the console of an operator has the permissions of the app', async (t) => {
  const { call } = await testConsole(t, { ownApp: loadedApp(t, first) })
  const { user } = (await call('GET', '/api/auth/session')).json()
  t.ok(user.permissions.includes(ship))
  t.ok(user.permissions.includes('users:read'))
})

t.test('what an operator revoked stays revoked, and what the app adds is granted', async (t) => {
  const database = await testDatabase(t)
  await sync(database, first)
  const [user] = await database.db.select().from(roles).where(eq(roles.key, 'user'))
  await database.db
    .delete(rolePermissions)
    .where(and(eq(rolePermissions.roleId, user?.id ?? ''), eq(rolePermissions.permissionKey, read)))
  await sync(database, { ...second, grants: { user: [read, 'orders:pack'] } })
  t.same(await holdersOf(database, read), ['admin'])
  t.same(await holdersOf(database, 'orders:pack'), ['admin', 'user'])
  const found = await findSystemRoles(database.db, second)
  t.same(found.find(({ key }) => key === 'user')?.lacking, [read], 'doctor says so')
})

t.test('a custom permission that the app claims becomes one of the app', async (t) => {
  const database = await testDatabase(t)
  await createPermission(database.db, operator, { key: read, description: 'Mine' })
  t.equal(await isUpToDate(database, first), false)
  await sync(database, first)
  t.match(await stored(database, read), {
    system: true,
    origin: 'claimed',
    description: 'See orders'
  })
  t.same(await holdersOf(database, read), ['admin', 'user'])
})

t.test('a custom permission that the app claims and leaves out is kept for good', async (t) => {
  const database = await testDatabase(t)
  await createPermission(database.db, operator, { key: ship, description: 'Mine' })
  await sync(database, { ...first, grants: { user: [ship] } })
  t.same(await holdersOf(database, ship), ['admin', 'user'])
  const [user] = await database.db.select().from(roles).where(eq(roles.key, 'user'))
  await database.db
    .delete(rolePermissions)
    .where(and(eq(rolePermissions.roleId, user?.id ?? ''), eq(rolePermissions.permissionKey, ship)))
  for (let round = 0; round < 3; round++) await sync(database, second)
  t.match(await stored(database, ship), { system: false }, 'only admin has it')
  await sync(database, { ...first, grants: { user: [ship] } })
  t.equal(await isUpToDate(database, first), true)
  t.match(await stored(database, ship), { system: true })
  t.same(await holdersOf(database, ship), ['admin'], 'nobody gets what was revoked')
})

t.test('a permission that the app leaves out is kept until no role has it', async (t) => {
  const database = await testDatabase(t)
  await sync(database, first)
  const holder = await aRole(database, ship)
  const syncTwice = async (app: typeof second) => {
    await sync(database, app)
    await sync(database, app)
  }
  await syncTwice(second)
  t.match(await stored(database, ship), { system: false }, 'it is one of an operator now')
  t.same(await holdersOf(database, ship), ['admin', holder].sort())
  await database.db.delete(roles).where(eq(roles.key, holder))
  await sync(database, second)
  t.equal(await stored(database, ship), undefined)
  t.match(await activityOf(database, ship), [
    { action: 'permission.delete', actorType: 'system' },
    { action: 'permission.update', details: { fields: ['system'] } }
  ])
})

t.test('instances of two versions of the app and one without it run side by side', async (t) => {
  const database = await testDatabase(t)
  await sync(database, first)
  await sync(database, second)
  t.equal(await isUpToDate(database, second), true)
  t.equal(await isUpToDate(database, first), true, 'the older one stays ready')
  t.equal(await isUpToDate(database), true)
  await sync(database, undefined)
  t.ok(await stored(database, ship), 'a portal without the app leaves them alone')
  t.match(await stored(database, read), { system: true, origin: 'app' })
})

t.test('a version that comes back gives nobody what an operator has revoked', async (t) => {
  const database = await testDatabase(t)
  await sync(database, { ...first, grants: { user: [read, ship] } })
  await sync(database, second)
  const [user] = await database.db.select().from(roles).where(eq(roles.key, 'user'))
  await database.db
    .delete(rolePermissions)
    .where(and(eq(rolePermissions.roleId, user?.id ?? ''), eq(rolePermissions.permissionKey, ship)))
  await sync(database, { ...first, grants: { user: [read, ship] } })
  t.match(await stored(database, ship), { system: true })
  t.same(await holdersOf(database, ship), ['admin'])
})
