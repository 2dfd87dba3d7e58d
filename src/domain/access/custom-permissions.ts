import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { apiKeys } from '../../../db/schema/api-keys.ts'
import { rolesScope } from '../../../db/schema/epochs.ts'
import { permissions } from '../../../db/schema/permissions.ts'
import type { permissionSorts } from '../../../db/schema/permissions.ts'
import { rolePermissions, roles } from '../../../db/schema/roles.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { bump } from '../freshness/epochs.ts'
import { permissionExists, permissionNotFound, systemEntity } from '../errors.ts'
import { page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { changeAs } from './rights.ts'
import { lockRole, raiseRoles } from './roles.ts'
import { cleanDescription } from '../texts.ts'

const permission = getTableColumns(permissions)

export async function findPermission(db: Db, key: string) {
  const [found] = await db.select(permission).from(permissions).where(eq(permissions.key, key))
  if (!found) throw permissionNotFound()
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
  return changeAs(db, actor, 'permissions:create', insert, async (tx, by, { made, admin }) => {
    if (!made) throw permissionExists()
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
  return changeAs(db, actor, 'permissions:update', lock, async (tx, by, [found]) => {
    if (!found) throw permissionNotFound()
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
  await changeAs(db, actor, 'permissions:delete', lock, async (tx, by, { found, holders }) => {
    if (!found) throw permissionNotFound()
    if (found.system) throw systemEntity()
    by.requireAll([key])
    const ids = holders.map(({ id }) => id)
    await raiseRoles(tx, ids)
    await tx.delete(permissions).where(eq(permissions.key, key))
    // Otherwise a later permission of the same name would come back to these keys.
    await tx
      .update(apiKeys)
      .set({ permissions: sql`${apiKeys.permissions} - ${key}::text` })
      .where(sql`${apiKeys.permissions} @> to_jsonb(${key}::text)`)
    const details = { key, roles: holders.length }
    await record(tx, by, 'permission.delete', { target: targetOf(key), details })
    await bump(tx, rolesScope)
  })
}
