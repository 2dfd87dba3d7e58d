import { and, eq, lte, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { rolePermissions } from '../../../db/schema/roles.ts'
import { endedScopeDays, endedScopes, scopedRoles, scopeLimits } from '../../../db/schema/scopes.ts'
import { users } from '../../../db/schema/users.ts'
import { ofDays } from '../../../db/time.ts'
import { authorized, authorizedIn } from '../access/authorize.ts'
import { lockRole, requireMayGiveUp } from '../access/roles.ts'
import type { LockedRole } from '../access/roles.ts'
import { record } from '../activity/record.ts'
import type { Actor, Author, AuthorizedActor, SignedInActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { lockUser } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'

/** `scope` is well-formed, and `role` the role's key. */
export interface ScopedMembership {
  scope: string
  userId: string
  role: string
}

/**
 * Lets one transaction at a time change who has roles in a scope, which may have no row yet. Call
 * it before other locks. Returns false when the scope was deleted lately: then there is nothing
 * to lock, because nobody gets a role in it.
 */
export async function lockScope(tx: Db, scope: string): Promise<boolean> {
  const ofScope = eq(endedScopes.scope, scope)
  const isOver = lte(endedScopes.endedAt, sql`now() - ${ofDays(endedScopeDays)}`)
  await tx.delete(endedScopes).where(and(ofScope, isOver))
  const free = await tx.insert(endedScopes).values({ scope }).onConflictDoNothing().returning()
  // Insertions of the same key wait for this transaction even after the deletion of its row.
  if (free.length > 0) await tx.delete(endedScopes).where(ofScope)
  return free.length > 0
}

/** Locks what a role in a scope depends on, in this order. A scope that was deleted is not free. */
export const lockMembership = async (tx: Db, { scope, userId, role }: ScopedMembership) => ({
  isFree: await lockScope(tx, scope),
  user: await lockUser(tx, userId),
  role: await lockRole(tx, role, 'share')
})

interface Locked {
  scope: string
  user: LockedUser
  role: LockedRole
}

/**
 * Operators need the permissions of the role everywhere, and managers in the scope, where they find
 * only members.
 */
function changeMembership(
  db: Db,
  actor: Actor,
  membership: ScopedMembership,
  as: 'operator' | 'manager' | 'member',
  change: (tx: Db, by: AuthorizedActor, locked: Locked) => Promise<unknown>
) {
  const { scope, userId } = membership
  const isOperator = as === 'operator'
  const lock = (tx: Db) => lockMembership(tx, membership)
  const where = isOperator ? undefined : scope
  const permission = isOperator ? 'users:update' : as === 'manager' ? 'members:manage' : []
  return authorizedIn(db, actor, where, permission, lock, async (tx, by, { user, role }) => {
    const isShown = isOperator || (await isMemberOf(tx, scope, userId))
    if (!user || !isShown) throw new DomainError('user-not-found')
    if (!role) throw new DomainError('role-not-found')
    if (as !== 'member') by.requireAll(role.permissions)
    await change(tx, by, { scope, user, role })
  })
}

/**
 * Grants a role in a scope, without effect when the user has it. Throws `exceeds-own-permissions`
 * when the role has a permission that the actor lacks, and as `writeMembership` does.
 */
export const grantInScope = (db: Db, actor: Actor, membership: ScopedMembership) =>
  changeMembership(db, actor, membership, 'operator', writeMembership)

/**
 * Revokes a role in a scope, without effect when the user does not have it. Throws as above, and
 * `reauthentication-required` for an own role that requires a second factor.
 */
export const revokeInScope = (db: Db, actor: Actor, membership: ScopedMembership) =>
  changeMembership(db, actor, membership, 'operator', removeMembership)

/**
 * Grants a role as a manager of the scope. Throws `scope-not-found`, `exceeds-own-permissions` for
 * a role with a permission that the manager lacks there, and `user-not-found` for a user who is
 * not a member: others are invited, so that nobody learns the name of a user by an id.
 */
export const manageGrant = (db: Db, actor: Actor, membership: ScopedMembership) =>
  changeMembership(db, actor, membership, 'manager', writeMembership)

/**
 * Revokes a role as a manager of the scope, or as the member who leaves it. Throws as above,
 * `last-manager`, and `reauthentication-required` for an own role that requires a second factor.
 */
export function manageRevoke(db: Db, actor: Actor, membership: ScopedMembership) {
  const leaves =
    actor.type === 'user' && actor.id === membership.userId && actor.keyId === undefined
  const as = leaves ? 'member' : 'manager'
  return changeMembership(db, actor, membership, as, async (tx, by, locked) => {
    const wasHeld = await removeMembership(tx, by, locked)
    const { scope, role } = locked
    if (wasHeld && role.permissions.includes('members:manage')) await requireManager(tx, scope)
  })
}

/**
 * Opens a scope of a kind, in which the user gets a role. Its name is new, so that nobody takes
 * that of a customer before the app does. Throws `role-not-found`, `role-not-scoped` and
 * `too-many-members`.
 */
export function openScope(
  db: Db,
  actor: SignedInActor,
  { kind, role: key }: { kind: string; role: string }
) {
  const scope = `${kind}:${uuid()}`
  const lock = (tx: Db) => lockMembership(tx, { scope, userId: actor.id, role: key })
  return authorized(db, actor, [], lock, async (tx, by, { user, role }) => {
    if (!user) throw new DomainError('unauthenticated')
    if (!role) throw new DomainError('role-not-found')
    await writeMembership(tx, by, { scope, user, role })
    return { scope, role: key }
  })
}

/**
 * Writes and records a role in a scope, and bumps the user, without effect when they have it. Call
 * it last in a transaction that has judged its author. Throws `role-not-scoped`, `scope-ended` and
 * `too-many-members`.
 * @param reason why the user gets it, if nobody decides it now
 */
export async function writeMembership(
  tx: Db,
  author: Author,
  { scope, user, role }: { scope: string; user: { id: string }; role: LockedRole },
  reason?: string
) {
  if (!role.scoped) throw new DomainError('role-not-scoped')
  if (!(await lockScope(tx, scope))) throw new DomainError('scope-ended')
  if (!(await isMemberOf(tx, scope, user.id))) await requireRoom(tx, scope, user.id)
  const made = await tx
    .insert(scopedRoles)
    .values({
      ...{ userId: user.id, scope, roleId: role.id },
      grantedBy: author.type === 'user' ? author.id : null
    })
    .onConflictDoNothing()
    .returning({ userId: scopedRoles.userId })
  if (made.length === 0) return
  const details = { scope, role: role.key }
  await record(tx, author, 'scope.role-grant', {
    ...{ userId: user.id, details },
    ...(reason !== undefined && { reason })
  })
  await bumpUsers(tx, user.id)
}

/** Returns whether the user had the role. */
async function removeMembership(tx: Db, by: AuthorizedActor, { scope, user, role }: Locked) {
  await requireMayGiveUp(tx, by, user, role)
  const removed = await tx
    .delete(scopedRoles)
    .where(and(ofMember(scope, user.id), eq(scopedRoles.roleId, role.id)))
    .returning({ userId: scopedRoles.userId })
  if (removed.length === 0) return false
  const details = { scope, role: role.key }
  await record(tx, by, 'scope.role-revoke', { userId: user.id, details })
  await bumpUsers(tx, user.id)
  return true
}

const ofMember = (scope: string, userId: string) =>
  and(eq(scopedRoles.scope, scope), eq(scopedRoles.userId, userId))

const isMemberOf = async (tx: Db, scope: string, userId: string) =>
  (await tx.$count(scopedRoles, ofMember(scope, userId))) > 0

/** Counts along an index, up to each limit. */
async function requireRoom(tx: Db, scope: string, userId: string) {
  const { scope: ofScope, userId: ofUser } = scopedRoles
  const beyond = (counted: PgColumn, which: SQL, limit: number) =>
    tx
      .select({ counted })
      .from(scopedRoles)
      .where(which)
      .groupBy(counted)
      .offset(limit - 1)
      .limit(1)
  const members = await beyond(ofUser, eq(ofScope, scope), scopeLimits.members)
  const scopes = await beyond(ofScope, eq(ofUser, userId), scopeLimits.ofUser)
  if (members.length + scopes.length > 0) throw new DomainError('too-many-members')
}

/** With the scope locked, so that of several managers who leave at once, the last one stays. */
async function requireManager(tx: Db, scope: string) {
  const managers = await tx
    .select({ id: users.id })
    .from(scopedRoles)
    .innerJoin(
      rolePermissions,
      and(
        eq(rolePermissions.roleId, scopedRoles.roleId),
        eq(rolePermissions.permissionKey, 'members:manage')
      )
    )
    .innerJoin(users, and(eq(users.id, scopedRoles.userId), eq(users.status, 'active')))
    .where(eq(scopedRoles.scope, scope))
    .limit(1)
  if (managers.length === 0) throw new DomainError('last-manager')
}
