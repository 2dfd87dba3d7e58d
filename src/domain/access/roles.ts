import { and, asc, count, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import type { SQLWrapper } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { rolesScope } from '../../../db/schema/epochs.ts'
import { permissions } from '../../../db/schema/permissions.ts'
import { rolePermissions, roles, userRoles } from '../../../db/schema/roles.ts'
import type { roleSorts } from '../../../db/schema/roles.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../activity/record.ts'
import { bump } from '../freshness/epochs.ts'
import { checkAll, invalidFields, roleExists, roleNotFound, systemEntity } from '../errors.ts'
import { page } from '../pages.ts'
import type { Window } from '../pages.ts'
import { requireRevision } from '../revisions.ts'
import type { Expected } from '../revisions.ts'
import { requirePermission } from './rights.ts'
import { cleanDescription, cleanName } from '../users/texts.ts'

const role = {
  id: roles.id,
  key: roles.key,
  name: roles.name,
  description: roles.description,
  system: roles.system,
  permissions: sql<
    string[]
  >`to_json(array(select rp.permission_key from role_permissions rp where rp.role_id = roles.id order by 1))`,
  createdAt: roles.createdAt,
  updatedAt: roles.updatedAt,
  version: roles.version
}

export async function findRole(db: Db, key: string) {
  const [found] = await db.select(role).from(roles).where(eq(roles.key, key))
  if (!found) throw roleNotFound()
  return { ...found, revision: String(found.version) }
}

const orders = { key: [roles.key], createdAt: [roles.createdAt, roles.id] }

export const listRoles = (db: Db, window: Window<(typeof roleSorts)[number]>) =>
  page(window, orders, ({ position, after, orderBy, limit }) =>
    db
      .select({ ...role, position })
      .from(roles)
      .where(after)
      .orderBy(...orderBy)
      .limit(limit)
  )

/**
 * Locks a role until the transaction ends and returns its current state.
 * @param strength `share` to grant the role, `no key update` to change it
 */
export async function lockRole(tx: Db, key: string, strength: 'share' | 'no key update') {
  const locked = await tx
    .select({ id: roles.id })
    .from(roles)
    .where(eq(roles.key, key))
    .for(strength)
  if (locked.length === 0) return undefined
  // A second statement: see lockUser.
  const [found] = await tx.select(role).from(roles).where(eq(roles.key, key))
  return found
}

interface NewRole {
  key: string
  name: string
  description?: string | undefined
  permissions?: string[] | undefined
}

/** Throws `role-exists`, and `exceeds-own-permissions` for a permission that the actor lacks. */
export async function createRole(
  db: Db,
  actor: Actor,
  { key, name, description = '', permissions: granted = [] }: NewRole
) {
  const [cleanedName, cleanedDescription] = await checkAll(
    () => cleanName(name),
    () => cleanDescription(description)
  )
  const values = { id: uuid(), key, name: cleanedName, description: cleanedDescription }
  return transaction(db, async (tx) => {
    const rights = await requirePermission(tx, actor, 'roles:create')
    await requireKnown(tx, granted)
    rights.requireAll(granted)
    const made = await tx
      .insert(roles)
      .values(values)
      .onConflictDoNothing()
      .returning({ id: roles.id })
    if (made.length === 0) throw roleExists()
    if (granted.length > 0) {
      await tx
        .insert(rolePermissions)
        .values(granted.map((permissionKey) => ({ roleId: values.id, permissionKey })))
    }
    await record(tx, actor, 'role.create', {
      target: { type: 'role', id: values.id },
      details: { key, permissions: granted }
    })
    return findRole(tx, key)
  })
}

/** Throws `system-entity` for a new name of a system role, and `precondition-failed`. */
export async function updateRole(
  db: Db,
  actor: Actor,
  {
    key,
    changes,
    expected
  }: {
    key: string
    changes: { name?: string | undefined; description?: string | undefined }
    expected?: Expected
  }
) {
  const [name, description] = await checkAll(
    () => (changes.name === undefined ? undefined : cleanName(changes.name)),
    () => (changes.description === undefined ? undefined : cleanDescription(changes.description))
  )
  const columns = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description })
  }
  return transaction(db, async (tx) => {
    const found = await lockRole(tx, key, 'no key update')
    await requirePermission(tx, actor, 'roles:update')
    if (!found) throw roleNotFound()
    requireRevision(String(found.version), expected)
    const fields = (Object.keys(columns) as (keyof typeof columns)[]).filter(
      (column) => columns[column] !== found[column]
    )
    if (found.system && fields.includes('name')) throw systemEntity()
    if (fields.length > 0) {
      await raiseRoles(tx, [found.id], columns)
      await record(tx, actor, 'role.update', {
        target: { type: 'role', id: found.id },
        details: { key, fields }
      })
    }
    return findRole(tx, key)
  })
}

/** Number of memberships that one transaction removes, well within its deadline. */
const memberBatch = 20_000

/**
 * Deletes a role and revokes it from its members. A large role is deleted in several transactions,
 * each of which takes effect at once; repeat an interrupted deletion to complete it. Throws
 * `system-entity`, `precondition-failed`, and `exceeds-own-permissions` when the actor lacks a
 * permission of the role.
 */
export async function deleteRole(
  db: Db,
  actor: Actor,
  { key, expected }: { key: string; expected?: Expected }
) {
  let members = 0
  for (let more = true; more;) {
    const removed = await transaction(db, async (tx) => {
      const found = await lockRole(tx, key, 'no key update')
      const rights = await requirePermission(tx, actor, 'roles:delete')
      if (!found) throw roleNotFound()
      requireRevision(String(found.version), expected)
      if (found.system) throw systemEntity()
      rights.requireAll(found.permissions)
      const { count, more } = await removeMembers(tx, found.id, actor)
      const target = { type: 'role' as const, id: found.id }
      if (more) {
        await record(tx, actor, 'role.members-remove', { target, details: { key, members: count } })
      } else {
        await tx.delete(roles).where(eq(roles.id, found.id))
        await record(tx, actor, 'role.delete', {
          target,
          details: { key, members: members + count }
        })
      }
      await bump(tx, rolesScope)
      return { count, more }
    })
    members += removed.count
    more = removed.more
  }
}

/**
 * Removes the first batch of memberships and returns their number. The role is locked. The actor
 * loses it last, because their right to continue may come from this role.
 */
async function removeMembers(tx: Db, roleId: string, actor: Actor) {
  const ofRole = eq(userRoles.roleId, roleId)
  const [next] = await tx
    .select({ userId: userRoles.userId })
    .from(userRoles)
    .where(ofRole)
    .orderBy(asc(userRoles.userId))
    .offset(memberBatch)
    .limit(1)
  const batch =
    next &&
    and(
      lt(userRoles.userId, next.userId),
      actor.id === undefined ? undefined : ne(userRoles.userId, actor.id)
    )
  const removed = tx
    .$with('removed')
    .as(tx.delete(userRoles).where(and(ofRole, batch)).returning({ userId: userRoles.userId }))
  const [row] = await tx.with(removed).select({ count: count() }).from(removed)
  return { count: row?.count ?? 0, more: next !== undefined }
}

export const raiseRoles = (
  tx: Db,
  ids: string[] | SQLWrapper,
  changes: { name?: string; description?: string } = {}
) =>
  tx
    .update(roles)
    .set({ ...changes, version: sql`${roles.version} + 1`, updatedAt: sql`now()` })
    .where(inArray(roles.id, ids))

/** Locks permissions against deletion until they are granted. Throws a refusal for unknown ones. */
async function requireKnown(tx: Db, keys: string[]) {
  if (keys.length === 0) return
  const known = new Set(
    (
      await tx
        .select({ key: permissions.key })
        .from(permissions)
        .where(inArray(permissions.key, keys))
        .orderBy(asc(permissions.key))
        .for('key share')
    ).map((row) => row.key)
  )
  const errors = keys.flatMap((key, index) =>
    known.has(key)
      ? []
      : [
          {
            pointer: `/permissions/${index}`,
            code: 'unknown-permission',
            message: 'There is no permission with this key'
          }
        ]
  )
  if (errors.length > 0) throw invalidFields(...errors)
}
