import { and, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { rolePermissions } from '../../../db/schema/roles.ts'
import { endedScopeDays, endedScopes, scopedRoles, scopeLimits } from '../../../db/schema/scopes.ts'
import { users } from '../../../db/schema/users.ts'
import { ofDays } from '../../../db/time.ts'
import { authorized, authorizedIn } from '../access/authorize.ts'
import { lockRole, requireMayGiveUp } from '../access/roles.ts'
import type { LockedRole } from '../access/roles.ts'
import { record } from '../activity/record.ts'
import type { Actor, Author, AuthorizedActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'

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

const lockAll =
  ({ scope, userId, role }: ScopedMembership) =>
  async (tx: Db) => {
    await lockScope(tx, scope)
    const [user] = await tx
      .select({ id: users.id, secondFactor: users.secondFactor })
      .from(users)
      .where(eq(users.id, userId))
      .for('no key update')
    return { user, role: await lockRole(tx, role, 'share') }
  }

function found({ user, role }: Awaited<ReturnType<ReturnType<typeof lockAll>>>) {
  if (!user) throw new DomainError('user-not-found')
  if (!role) throw new DomainError('role-not-found')
  return { user, role }
}

/**
 * Grants a role in a scope, without effect when the user has it. Throws `exceeds-own-permissions`
 * when the role has a permission that the actor lacks, and as `writeMembership` does.
 */
export const grantInScope = (db: Db, actor: Actor, membership: ScopedMembership) =>
  authorized(db, actor, 'users:update', lockAll(membership), async (tx, by, locked) => {
    const { user, role } = found(locked)
    by.requireAll(role.permissions)
    await writeMembership(tx, by, { scope: membership.scope, user, role })
  })

/**
 * Revokes a role in a scope, without effect when the user does not have it. Throws as above, and
 * `reauthentication-required` for an own role that requires a second factor.
 */
export const revokeInScope = (db: Db, actor: Actor, membership: ScopedMembership) =>
  authorized(db, actor, 'users:update', lockAll(membership), async (tx, by, locked) => {
    const { user, role } = found(locked)
    by.requireAll(role.permissions)
    await removeMembership(tx, by, { scope: membership.scope, user, role })
  })

/**
 * Grants a role as a manager of the scope. Throws `scope-not-found`, `exceeds-own-permissions` for
 * a role with a permission that the manager lacks there, and `user-not-found` for a user who is
 * not a member: others are invited, so that nobody learns the name of a user by an id.
 */
export const manageGrant = (db: Db, actor: Actor, membership: ScopedMembership) =>
  authorizedIn(
    db,
    actor,
    membership.scope,
    'members:manage',
    lockAll(membership),
    async (tx, by, locked) => {
      const { scope, userId } = membership
      await requireMember(tx, scope, userId)
      const { user, role } = found(locked)
      by.requireAll(role.permissions)
      await writeMembership(tx, by, { scope, user, role })
    }
  )

/**
 * Revokes a role as a manager of the scope, or as the member who leaves it. Throws as above,
 * `last-manager`, and `reauthentication-required` for an own role that requires a second factor.
 */
export async function manageRevoke(db: Db, actor: Actor, membership: ScopedMembership) {
  const { scope, userId } = membership
  const leaves = actor.type === 'user' && actor.id === userId && actor.keyId === undefined
  const permission = leaves ? [] : ('members:manage' as const)
  const lock = lockAll(membership)
  await authorizedIn(db, actor, scope, permission, lock, async (tx, by, locked) => {
    await requireMember(tx, scope, userId)
    const { user, role } = found(locked)
    if (!leaves) by.requireAll(role.permissions)
    await removeMembership(tx, by, { scope, user, role, keepsManager: true })
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

/** @param which.keepsManager whether the last manager of the scope must keep the role */
async function removeMembership(
  tx: Db,
  by: AuthorizedActor,
  which: ReturnType<typeof found> & { scope: string; keepsManager?: boolean }
) {
  const { scope, user, role, keepsManager } = which
  const userId = user.id
  await requireMayGiveUp(tx, by, user, role)
  const removed = await tx
    .delete(scopedRoles)
    .where(and(ofMember(scope, userId), eq(scopedRoles.roleId, role.id)))
    .returning({ userId: scopedRoles.userId })
  if (removed.length === 0) return
  if (keepsManager && role.permissions.includes('members:manage')) await requireManager(tx, scope)
  await record(tx, by, 'scope.role-revoke', { userId, details: { scope, role: role.key } })
  await bumpUsers(tx, userId)
}

const ofMember = (scope: string, userId: string) =>
  and(eq(scopedRoles.scope, scope), eq(scopedRoles.userId, userId))

const isMemberOf = async (tx: Db, scope: string, userId: string) =>
  (
    await tx
      .select({ scope: scopedRoles.scope })
      .from(scopedRoles)
      .where(ofMember(scope, userId))
      .limit(1)
  ).length > 0

async function requireMember(tx: Db, scope: string, userId: string) {
  if (!(await isMemberOf(tx, scope, userId))) throw new DomainError('user-not-found')
}

/** Counts along an index, up to each limit. */
async function requireRoom(tx: Db, scope: string, userId: string) {
  const members = tx
    .select({ id: scopedRoles.userId })
    .from(scopedRoles)
    .where(eq(scopedRoles.scope, scope))
    .groupBy(scopedRoles.userId)
    .offset(scopeLimits.members - 1)
    .limit(1)
  const scopes = tx
    .select({ scope: scopedRoles.scope })
    .from(scopedRoles)
    .where(eq(scopedRoles.userId, userId))
    .groupBy(scopedRoles.scope)
    .offset(scopeLimits.ofUser - 1)
    .limit(1)
  if ((await members).length > 0 || (await scopes).length > 0) {
    throw new DomainError('too-many-members')
  }
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
