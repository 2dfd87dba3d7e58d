import { and, asc, eq, exists, getTableColumns, inArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { rolesScope } from '../../../db/schema/epochs.ts'
import { permissions, rolePermissions, roles, userRoles } from '../../../db/schema/roles.ts'
import type { roleSorts } from '../../../db/schema/roles.ts'
import { scopedRoles } from '../../../db/schema/scopes.ts'
import { apiKeys } from '../../../db/schema/services.ts'
import { users } from '../../../db/schema/users.ts'
import { describeChanges, record } from '../activity/record.ts'
import { isTrusted } from '../actor.ts'
import type { Actor, Author, AuthorizedActor } from '../actor.ts'
import { checkAll, DomainError, requireItems, requireRevision } from '../errors.ts'
import type { Expected } from '../errors.ts'
import { requireProofIfOwn } from '../factors/recent-authentication.ts'
import { bump } from '../freshness/epochs.ts'
import { page } from '../keyset.ts'
import type { Search } from '../keyset.ts'
import { matchesWords } from '../search.ts'
import { objectKeys } from '../permissions.ts'
import { cleanDescription, cleanName } from '../texts.ts'
import { authorized } from './authorize.ts'

const role = {
  ...getTableColumns(roles),
  permissions: sql<string[]>`to_json(array(
    select rp.permission_key from role_permissions rp
    where rp.role_id = roles.id order by 1))`
}

export async function findRole(db: Db, key: string) {
  const [found] = await db.select(role).from(roles).where(eq(roles.key, key))
  if (!found) throw new DomainError('role-not-found')
  return { ...found, revision: String(found.version) }
}

const orders = { key: [roles.key], createdAt: [roles.createdAt, roles.id] }
const list = { table: roles, columns: role, orders }

export const listRoles = (db: Db, { q, ...window }: Search<(typeof roleSorts)[number]>) =>
  page(db, list, window, matchesWords(q, roles.key, roles.name, roles.description))

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

export type LockedRole = NonNullable<Awaited<ReturnType<typeof lockRole>>>

interface NewRole {
  key: string
  name: string
  description?: string | undefined
  requiresSecondFactor?: boolean | undefined
  /** Whether it is granted in scopes, instead of everywhere. */
  scoped?: boolean | undefined
  permissions?: string[] | undefined
}

/** Throws `role-exists`, and `exceeds-own-permissions` for a permission that the actor lacks. */
export async function createRole(
  db: Db,
  actor: Actor,
  {
    key,
    requiresSecondFactor = false,
    scoped = false,
    permissions: granted = [],
    ...texts
  }: NewRole
) {
  const [name, description] = await checkAll(
    () => cleanName(texts.name),
    () => cleanDescription(texts.description ?? '')
  )
  const values = { id: uuid(), key, name, description, requiresSecondFactor, scoped }
  const insert = async (tx: Db) => {
    await requireKnown(tx, granted)
    return tx.insert(roles).values(values).onConflictDoNothing().returning({ id: roles.id })
  }
  return authorized(db, actor, 'roles:create', insert, async (tx, by, made) => {
    by.requireAll(granted)
    if (made.length === 0) throw new DomainError('role-exists')
    if (granted.length > 0) {
      await tx
        .insert(rolePermissions)
        .values(granted.map((permissionKey) => ({ roleId: values.id, permissionKey })))
    }
    const target = { type: 'role' as const, id: values.id }
    await record(tx, by, 'role.create', { target, details: { key, permissions: granted } })
    return findRole(tx, key)
  })
}

type RoleChanges = Partial<Pick<NewRole, 'name' | 'description' | 'requiresSecondFactor'>>

/**
 * Throws `system-entity` for a new name of a system role, `precondition-failed`, and
 * `exceeds-own-permissions` when `requiresSecondFactor` changes and the actor lacks a permission of
 * the role, or as `requireMayLift` does.
 */
export async function updateRole(
  db: Db,
  actor: Actor,
  { key, changes, expected }: { key: string; changes: RoleChanges; expected?: Expected }
) {
  const [name, description] = await checkAll(
    () => (changes.name === undefined ? undefined : cleanName(changes.name)),
    () => (changes.description === undefined ? undefined : cleanDescription(changes.description))
  )
  const { requiresSecondFactor } = changes
  const columns = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(requiresSecondFactor !== undefined && { requiresSecondFactor })
  }
  const lock = (tx: Db) => lockRole(tx, key, 'no key update')
  return authorized(db, actor, 'roles:update', lock, async (tx, by, found) => {
    if (!found) throw new DomainError('role-not-found')
    requireRevision(String(found.version), expected)
    const fields = objectKeys(columns).filter((column) => columns[column] !== found[column])
    if (found.system && fields.includes('name')) throw new DomainError('system-entity')
    const changesAccess = fields.includes('requiresSecondFactor')
    if (changesAccess) {
      // Setting it takes permissions from members. Clearing it gives the role to sessions that
      // began with the password alone, such as that of a thief who knows it.
      by.requireAll(found.permissions)
      await requireMayLift(tx, by, found)
    }
    if (fields.length > 0) {
      await raiseRoles(tx, [found.id], columns)
      const target = { type: 'role' as const, id: found.id }
      await record(tx, by, 'role.update', {
        target,
        details: { key, ...describeChanges(fields, found, columns) }
      })
    }
    if (changesAccess) await bump(tx, rolesScope)
    return findRole(tx, key)
  })
}

/**
 * The end of a requirement weakens the members in all of their roles. Throws
 * `exceeds-own-permissions` when the role requires a second factor and the actor lacks a permission
 * that a member has, or has the role in a session in which it does not count, and
 * `reauthentication-required` when the actor is a member and has not authenticated recently.
 */
export async function requireMayLift(
  tx: Db,
  by: AuthorizedActor,
  { id, key, scoped, requiresSecondFactor }: LockedRole
) {
  by.requireUnsuspended(key)
  if (!requiresSecondFactor || isTrusted(by)) return
  const table = membershipsOf({ scoped })
  const held = await tx
    .selectDistinct({ key: rolePermissions.permissionKey })
    .from(rolePermissions)
    .where(
      or(
        ...[userRoles, membershipsOf({ scoped: true })].map((other) => {
          const member = alias(other, 'member')
          return exists(
            tx
              .select({ one: sql`1` })
              .from(table)
              .innerJoin(member, eq(member.userId, table.userId))
              .where(and(eq(table.roleId, id), eq(member.roleId, rolePermissions.roleId)))
          )
        })
      )
    )
  by.requireAll(held.map((each) => each.key))
  const [self] = await tx
    .select({ id: users.id, secondFactor: users.secondFactor })
    .from(users)
    .innerJoin(table, eq(table.userId, users.id))
    .where(and(eq(users.id, by.id ?? ''), eq(table.roleId, id)))
    .limit(1)
  if (self) await requireProofIfOwn(tx, by, self)
}

/**
 * Without the requirement of an own role, a password alone could change the account. Throws
 * `exceeds-own-permissions` in a session in which the role does not count, and
 * `reauthentication-required`.
 */
export async function requireMayGiveUp(
  tx: Db,
  by: AuthorizedActor,
  user: Parameters<typeof requireProofIfOwn>[2],
  { key, requiresSecondFactor }: Pick<LockedRole, 'key' | 'requiresSecondFactor'>
) {
  by.requireUnsuspended(key)
  if (requiresSecondFactor) await requireProofIfOwn(tx, by, user)
}

/** The table with the members of a role. Both have the columns of the one for roles everywhere. */
export const membershipsOf = ({ scoped }: { scoped: boolean }) =>
  scoped ? (scopedRoles as unknown as typeof userRoles) : userRoles

export const raiseRoles = (
  tx: Db,
  ids: string[],
  changes: Partial<Pick<typeof roles.$inferInsert, keyof RoleChanges>> = {}
) =>
  tx
    .update(roles)
    .set({ ...changes, version: sql`${roles.version} + 1`, updatedAt: sql`now()` })
    .where(inArray(roles.id, ids))

/** Deletes and records a locked permission, which this number of roles had. */
export async function dropPermission(
  tx: Db,
  actor: Author,
  details: { key: string; roles: number }
) {
  const { key } = details
  await tx.delete(permissions).where(eq(permissions.key, key))
  // Otherwise a later permission of the same name would come back to these keys.
  await tx
    .update(apiKeys)
    .set({ permissions: sql`${apiKeys.permissions} - ${key}::text` })
    .where(sql`${apiKeys.permissions} @> to_jsonb(${key}::text)`)
  await record(tx, actor, 'permission.delete', { target: { type: 'permission', id: key }, details })
}

/** Locks permissions against deletion until they are granted. Throws a refusal for unknown ones. */
export async function requireKnown(tx: Db, keys: string[]) {
  if (keys.length === 0) return
  const found = await tx
    .select({ key: permissions.key })
    .from(permissions)
    .where(inArray(permissions.key, keys))
    .orderBy(asc(permissions.key))
    .for('key share')
  const known = new Set(found.map(({ key }) => key))
  requireItems(keys, (key) => known.has(key), {
    pointer: '/permissions',
    code: 'unknown-permission',
    message: 'There is no permission with this key'
  })
}
