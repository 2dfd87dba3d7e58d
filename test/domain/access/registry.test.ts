import { and, eq } from 'drizzle-orm'
import t from 'tap'
import { v7 as uuid } from 'uuid'
import { epochs, flagsScope, rolesScope } from '../../../db/schema/epochs.ts'
import { permissions, rolePermissions, roles } from '../../../db/schema/roles.ts'
import { deletePermission } from '../../../src/domain/access/custom-permissions.ts'
import { isUpToDate, syncRegistry } from '../../../src/domain/access/registry.ts'
import {
  systemPermissionKeys,
  systemPermissions,
  systemRoles
} from '../../../src/domain/permissions.ts'
import { findCurrentUser } from '../../../src/domain/users/users.ts'
import { activityOf, aRole, aUser, operator, testDatabase } from '../../support/app.ts'
import { userPermissions } from '../../support/permissions.ts'

/** The permissions of the role `user`. Apps rely on them, so that a change is one of the contract. */
const everyAccount = [
  'name:update',
  'profile:read',
  'profile:update',
  'settings:read',
  'settings:update',
  'theme:update'
]

const granted = async (db: Awaited<ReturnType<typeof testDatabase>>['db'], role: string) =>
  (
    await db
      .select({ key: rolePermissions.permissionKey })
      .from(rolePermissions)
      .innerJoin(roles, eq(roles.id, rolePermissions.roleId))
      .where(eq(roles.key, role))
  )
    .map((row) => row.key)
    .sort()

t.test('a migrated database has the system roles and permissions of the contract', async (t) => {
  const { db } = await testDatabase(t)
  t.same(await granted(db, 'user'), everyAccount.sort())
  t.same(await granted(db, 'admin'), [...systemPermissionKeys].sort())
  t.same((await db.select().from(roles)).map((role) => [role.key, role.system]).sort(), [
    ['admin', true],
    ['user', true]
  ])
})

t.test(
  'a migration does not restore permissions that an operator revoked from a role',
  async (t) => {
    const database = await testDatabase(t)
    const { db } = database
    const [user] = await db.select().from(roles).where(eq(roles.key, 'user'))
    await db
      .delete(rolePermissions)
      .where(
        and(
          eq(rolePermissions.roleId, user?.id ?? ''),
          eq(rolePermissions.permissionKey, 'theme:update')
        )
      )
    await database.migrate(syncRegistry)
    const others = userPermissions.filter((key) => key !== 'theme:update')
    t.same(await granted(db, 'user'), others)
  }
)

t.test('a permission added by a release is granted to the roles it names', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  await db.delete(permissions).where(eq(permissions.key, 'theme:update'))
  const custom = await aRole(database, 'name:update')
  const versions = async () =>
    Object.fromEntries((await db.select().from(roles)).map(({ key, version }) => [key, version]))
  const before = await versions()
  t.equal(await isUpToDate(database), false)
  await database.migrate(syncRegistry)
  t.equal(await isUpToDate(database), true)
  t.ok((await granted(db, 'user')).includes('theme:update'))
  t.same(await granted(db, 'admin'), [...systemRoles.admin.permissions].sort())
  const { admin = 0, user = 0 } = before
  const raised = { ...before, admin: admin + 1, user: user + 1 }
  t.same(await versions(), raised, 'an ETag from before no longer matches')
  t.match(raised, { [custom]: before[custom] })
})

t.test('every scope of the freshness protocol has a row', async (t) => {
  const { db } = await testDatabase(t)
  const scopes = (await db.select().from(epochs)).map((row) => row.scope).sort((a, b) => a - b)
  t.same(
    scopes,
    Array.from({ length: 66 }, (_, scope) => scope)
  )
  t.same([rolesScope, flagsScope], [64, 65])
})

t.test(
  'a custom permission whose key a release claims becomes a system permission, which is recorded',
  async (t) => {
    const database = await testDatabase(t)
    const { db } = database
    await db.delete(permissions).where(eq(permissions.key, 'theme:update'))
    await db.insert(permissions).values({ key: 'theme:update', description: 'Mine' })
    const holder = await aRole(database, 'theme:update')
    t.equal(await isUpToDate(database), false)

    await database.migrate(syncRegistry)
    t.equal(await isUpToDate(database), true)
    t.match(await db.select().from(permissions).where(eq(permissions.key, 'theme:update')), [
      { system: true, description: systemPermissions['theme:update'] }
    ])
    t.ok((await granted(db, 'user')).includes('theme:update'), 'the roles of the release have it')
    t.ok((await granted(db, 'admin')).includes('theme:update'))
    t.same(await granted(db, holder), ['theme:update'], 'and the custom roles keep it')
    t.match(await activityOf(database, 'theme:update'), [
      {
        action: 'permission.update',
        actorType: 'system',
        details: { fields: ['system', 'description'] }
      }
    ])
    await t.rejects(deletePermission(db, operator, { key: 'theme:update' }), {
      code: 'system-entity'
    })
  }
)

t.test('a custom role whose key a release claims keeps its permissions and members', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  await db.delete(roles).where(eq(roles.key, 'user'))
  await db.delete(permissions).where(eq(permissions.key, 'theme:update'))
  await db.insert(roles).values({ id: uuid(), key: 'user', name: 'Mine' })
  const member = await aUser(database)

  await database.migrate(syncRegistry)
  t.equal(await isUpToDate(database), true, 'the portal works')
  t.same(await granted(db, 'user'), [])
  t.match(await db.select().from(roles).where(eq(roles.key, 'user')), [
    { name: 'Mine', system: false }
  ])
  t.match(await findCurrentUser(db, member.id), { roles: ['user'], permissions: [] })
  t.ok((await granted(db, 'admin')).includes('theme:update'))
})

t.test('a role added by a release has its permissions, including existing ones', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  await db.delete(roles).where(eq(roles.key, 'user'))
  t.equal(await isUpToDate(database), false)
  await database.migrate(syncRegistry)
  t.equal(await isUpToDate(database), true)
  t.same(await granted(db, 'user'), userPermissions)
})
