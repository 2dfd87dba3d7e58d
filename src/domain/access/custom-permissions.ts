import { asc, eq, getTableColumns } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { rolesScope } from '../../../db/schema/epochs.ts'
import { permissions, rolePermissions, roles, userRoles } from '../../../db/schema/roles.ts'
import type { permissionSorts } from '../../../db/schema/roles.ts'
import type { Assurance } from '../../../db/schema/sessions.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { bump } from '../freshness/epochs.ts'
import { page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { cleanDescription } from '../texts.ts'
import { findCurrentUser, findUser } from '../users/users.ts'
import { authorized } from './authorize.ts'
import { dropPermission, lockRole, raiseRoles } from './roles.ts'

const { origin, ...permission } = getTableColumns(permissions)

export async function findPermission(db: Db, key: string) {
  const [found] = await db.select(permission).from(permissions).where(eq(permissions.key, key))
  if (!found) throw new DomainError('permission-not-found')
  return found
}

const orders = { key: [permissions.key], createdAt: [permissions.createdAt, permissions.key] }
const list = { table: permissions, columns: permission, orders }

export const listPermissions = (db: Db, window: Window<(typeof permissionSorts)[number]>) =>
  page(db, list, window)

const targetOf = (key: string) => ({ type: 'permission', id: key }) as const

/** Creates a custom permission and grants it to the role `admin`. Throws `permission-exists`. */
export async function createPermission(
  db: Db,
  actor: Actor,
  { key, description = '' }: { key: string; description?: string | undefined }
) {
  const text = cleanDescription(description)
  const insert = async (tx: Db) => {
    const [made] = await tx
      .insert(permissions)
      .values({ key, description: text })
      .onConflictDoNothing()
      .returning({ key: permissions.key })
    return { made, admin: await lockRole(tx, 'admin', 'no key update') }
  }
  return authorized(db, actor, 'permissions:create', insert, async (tx, by, { made, admin }) => {
    if (!made) throw new DomainError('permission-exists')
    if (!admin) throw new Error('the role admin is missing: migrate the database')
    await tx.insert(rolePermissions).values({ roleId: admin.id, permissionKey: key })
    await raiseRoles(tx, [admin.id])
    await record(tx, by, 'permission.create', { target: targetOf(key), details: { key } })
    await bump(tx, rolesScope)
    return findPermission(tx, key)
  })
}

export async function updatePermission(
  db: Db,
  actor: Actor,
  { key, changes: { description } }: { key: string; changes: { description?: string | undefined } }
) {
  const text = description === undefined ? undefined : cleanDescription(description)
  const lock = (tx: Db) =>
    tx.select(permission).from(permissions).where(eq(permissions.key, key)).for('no key update')
  return authorized(db, actor, 'permissions:update', lock, async (tx, by, [found]) => {
    if (!found) throw new DomainError('permission-not-found')
    if (text !== undefined && text !== found.description) {
      await tx.update(permissions).set({ description: text }).where(eq(permissions.key, key))
      const changes = { description: { from: found.description, to: text } }
      const details = { key, fields: ['description'], changes }
      await record(tx, by, 'permission.update', { target: targetOf(key), details })
    }
    return findPermission(tx, key)
  })
}

/**
 * Deletes a permission, and takes it from every role and from the lists of API keys. Throws
 * `system-entity` for a permission of the portal, and `exceeds-own-permissions` when the actor
 * lacks it.
 */
export async function deletePermission(db: Db, actor: Actor, { key }: { key: string }) {
  const lock = async (tx: Db) => {
    // The permission first, then the roles in a fixed order, like every other transaction. From now
    // on no role can be granted the permission, so all roles that have it get a new version.
    const [found] = await tx
      .select(permission)
      .from(permissions)
      .where(eq(permissions.key, key))
      .for('update')
    const holders = await tx
      .select({ id: roles.id })
      .from(roles)
      .innerJoin(rolePermissions, eq(rolePermissions.roleId, roles.id))
      .where(eq(rolePermissions.permissionKey, key))
      .orderBy(asc(roles.id))
      .for('no key update', { of: roles })
    return { found, holders }
  }
  await authorized(db, actor, 'permissions:delete', lock, async (tx, by, { found, holders }) => {
    if (!found) throw new DomainError('permission-not-found')
    if (found.system) throw new DomainError('system-entity')
    by.requireAll([key])
    const ids = holders.map(({ id }) => id)
    await raiseRoles(tx, ids)
    await dropPermission(tx, by, { key, roles: holders.length })
    await bump(tx, rolesScope)
  })
}

interface Seen {
  userId: string
  /** Assurance of the session. By default that of a sign-in with the password. */
  assurance?: Assurance | undefined
}

/**
 * Returns the response of `GET /api/auth/me` in a session of this user, which is nothing for a
 * deactivated user, and each permission of their roles. Throws `user-not-found`.
 */
export async function seeAs(db: Db, { userId, assurance: given }: Seen) {
  const { secondFactor } = await findUser(db, userId)
  const assurance: Assurance = given ?? (secondFactor ? 2 : 1)
  const user = await findCurrentUser(db, userId, assurance)
  if (!user) throw new DomainError('user-not-found')
  const { status, ...shown } = user
  return {
    assurance,
    user: status === 'active' ? { ...shown, status } : null,
    permissions: await permissionsOf(db, userId, assurance)
  }
}

/**
 * Whether a user may do something in a session, and why. Throws `user-not-found` and
 * `permission-not-found`.
 */
export async function seePermission(
  db: Db,
  { permission, ...seen }: Seen & { permission: string }
) {
  const { key } = await findPermission(db, permission)
  const { assurance, user, permissions } = await seeAs(db, seen)
  const { grantedBy = [], withheldBy = [] } = permissions.find((each) => each.key === key) ?? {}
  const status = user === null ? ('deactivated' as const) : user.status
  const granted = user !== null && grantedBy.length > 0
  return { permission: key, granted, grantedBy, withheldBy, assurance, status }
}

/** The permissions of all roles of a user, each with the roles that give it, or would give it. */
async function permissionsOf(db: Db, userId: string, assurance: Assurance) {
  const rows = await db
    .select({
      key: rolePermissions.permissionKey,
      role: roles.key,
      requiresSecondFactor: roles.requiresSecondFactor
    })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.roleId))
    .innerJoin(rolePermissions, eq(rolePermissions.roleId, roles.id))
    .where(eq(userRoles.userId, userId))
    .orderBy(asc(rolePermissions.permissionKey), asc(roles.key))
  const found = new Map<string, { key: string; grantedBy: string[]; withheldBy: string[] }>()
  for (const { key, role, requiresSecondFactor } of rows) {
    const why = found.get(key) ?? { key, grantedBy: [], withheldBy: [] }
    found.set(key, why)
    const counts = !requiresSecondFactor || assurance === 2
    why[counts ? 'grantedBy' : 'withheldBy'].push(role)
  }
  return [...found.values()]
}
