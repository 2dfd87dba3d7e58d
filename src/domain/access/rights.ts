import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import type { Actor, SignedInActor } from '../actor.ts'
import {
  exceedsOwnPermissions,
  permissionDenied,
  unauthenticated,
  userNotFound
} from '../errors.ts'
import type { SystemPermission } from '../permissions.ts'
import { isSessionOf } from '../presented-session.ts'
import { lockUser } from '../users/lock.ts'
import { currentUserIn } from '../users/users.ts'

/**
 * The current permissions of an actor, which bound what they may grant and whom they may act on.
 */
export interface Rights {
  /** Throws `exceeds-own-permissions` when the actor lacks one of these permissions. */
  requireAll(permissions: readonly string[]): void
  /**
   * Throws `exceeds-own-permissions` when the actor has this role but has not proved the second
   * factor that it requires.
   */
  requireUnsuspended(role: string): void
}

/** The rights of the command line and of jobs. */
export const everything: Rights = { requireAll() {}, requireUnsuspended() {} }

/**
 * Checks the actor again, inside the transaction that writes: the session may have ended and the
 * permission may have been revoked since the request was admitted. Call it after locking the rows
 * it depends on. The command line and jobs may do everything. Throws `unauthenticated` and
 * `permission-denied`.
 */
export async function requirePermission(
  tx: Db,
  actor: Actor,
  permission: SystemPermission
): Promise<Rights> {
  if (actor.type === 'cli' || actor.type === 'system') return everything
  const { status, permissions, suspendedRoles } = currentUserIn(sql`${sessions.assurance}`)
  const [user] = await tx
    .select({ status, permissions, suspendedRoles })
    .from(users)
    .innerJoin(sessions, isSessionOf(actor))
    .where(eq(users.id, actor.id ?? ''))
  if (user?.status !== 'active') throw unauthenticated()
  if (!user.permissions.includes(permission)) throw permissionDenied(permission)
  return {
    requireAll(permissions) {
      if (permissions.some((each) => !user.permissions.includes(each))) {
        throw exceedsOwnPermissions()
      }
    },
    requireUnsuspended(role) {
      if (user.suspendedRoles.includes(role)) throw exceedsOwnPermissions()
    }
  }
}

/**
 * Locks the actor's own user and checks again that the session has not ended, so that of two
 * sessions that revoke each other one succeeds. Throws `unauthenticated`.
 */
export async function requireOwnSession(tx: Db, actor: SignedInActor) {
  const user = eq(users.id, actor.id)
  await tx.select({ id: users.id }).from(users).where(user).for('no key update')
  // A second statement, because after waiting for the lock the first one would see the old session.
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(sessions, isSessionOf(actor))
    .where(and(user, eq(users.status, 'active')))
  if (found.length === 0) throw unauthenticated()
}

/** Locks the user to act on. Throws `user-not-found`, and as requirePermission does. */
export async function actOn(tx: Db, actor: Actor, permission: SystemPermission, userId: string) {
  const target = await lockUser(tx, userId)
  const rights = await requirePermission(tx, actor, permission)
  if (!target) throw userNotFound()
  return {
    target,
    requireAuthority: () => rights.requireAll(target.permissions)
  }
}
