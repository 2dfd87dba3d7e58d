import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { isSessionOf, isTrusted } from '../actor.ts'
import type { Actor, AuthorizedActor } from '../actor.ts'
import { DomainError, requireRevision } from '../errors.ts'
import type { Expected } from '../errors.ts'
import { findDone, keepDone } from '../idempotency.ts'
import { keyRights, withScope } from '../keys/rights.ts'
import type { Permission } from '../permissions.ts'
import { commitInTime } from '../time-left.ts'
import {
  currentUserIn,
  lockUser,
  scopedRightsOf,
  suspendedAnywhere,
  userRevision
} from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'

/** Writes and records as `by`, or refuses. */
type Change<L, T> = (tx: Db, by: AuthorizedActor, locked: L) => Promise<T>

/**
 * The only way to change what needs a permission. First `lock` locks what the decision depends on;
 * an insertion that waits for another with the same key is a lock as well. Then the actor is judged
 * again: since the request was admitted, and during the wait, their session may have ended and the
 * permission may have been revoked. Then comes the change, unless the actor names an
 * Idempotency-Key with which it was made: then it returns what the change returned. Throws
 * `unauthenticated`, `permission-denied`, and like findDone.
 * @param permission one, or all of several
 */
export const authorized = <L, T>(
  db: Db,
  actor: Actor,
  permission: Permission | Permission[],
  lock: (tx: Db) => Promise<L>,
  change: Change<L, T>
) => authorizedIn(db, actor, undefined, permission, lock, change)

/**
 * Like `authorized`, with the rights that the actor has in a scope, with which `requireAll`
 * compares as well. Throws `scope-not-found` when the actor lacks the permission and has no role
 * there.
 * @param permission none: only a role in the scope is needed
 */
export const authorizedIn = <L, T>(
  db: Db,
  actor: Actor,
  scope: string | undefined,
  permission: Permission | Permission[],
  lock: (tx: Db) => Promise<L>,
  change: Change<L, T>
) =>
  transaction(db, async (tx) => {
    commitInTime(tx, actor)
    const done = actor.once && (await findDone(tx, actor))
    if (done) {
      await judge(tx, actor, permission, scope)
      return done as T
    }
    const locked = await lock(tx)
    const result = await change(tx, await judge(tx, actor, permission, scope), locked)
    if (actor.once) await keepDone(tx, actor, result)
    return result
  })

/** Pass this as `lock` when no other row affects the decision. */
export const lockNothing = async () => {}

/**
 * Like authorized, with a lock on a user. Throws `user-not-found`, `precondition-failed`, and
 * `exceeds-own-permissions` when the user has a permission that the actor lacks.
 */
export function authorizedOn<T>(
  db: Db,
  actor: Actor,
  permission: Permission,
  { id, expected }: { id: string; expected?: Expected },
  change: Change<LockedUser, T>
) {
  const lock = (tx: Db) => lockUser(tx, id)
  return authorized(db, actor, permission, lock, async (tx, by, user) => {
    if (!user) throw new DomainError('user-not-found')
    requireRevision(userRevision(user), expected)
    by.requireAll(user.permissions)
    return change(tx, by, user)
  })
}

/** For reading. Throws as authorized does. */
export async function requirePermission(db: Db, actor: Actor, permission: Permission) {
  await judge(db, actor, permission)
}

/** Whether an actor may read something as well. Throws `unauthenticated`. */
export async function isPermitted(db: Db, actor: Actor, permission: Permission) {
  try {
    await judge(db, actor, permission)
    return true
  } catch (error) {
    if (error instanceof DomainError && error.code === 'permission-denied') return false
    throw error
  }
}

async function judge(
  tx: Db,
  actor: Actor,
  permission: Permission | Permission[],
  scope?: string
): Promise<AuthorizedActor> {
  if (isTrusted(actor)) {
    return { ...actor, requireAll() {}, requireUnsuspended() {}, async recheck() {} }
  }
  const rights =
    actor.keyId === undefined
      ? await rightsInSession(tx, actor, scope)
      : await keyRights(tx, actor.keyId, scope)
  if (!rights) throw new DomainError('unauthenticated')
  const lacks = (key: string) => !rights.permissions.includes(key)
  const needed = [permission].flat()
  const lacking = needed.find(lacks)
  if (scope !== undefined && !rights.isMember && (lacking ?? needed[0]) === lacking) {
    throw new DomainError('scope-not-found')
  }
  if (lacking) throw new DomainError('permission-denied', { details: { permission: lacking } })
  return {
    ...actor,
    requireAll(permissions) {
      if (permissions.some(lacks)) throw new DomainError('exceeds-own-permissions')
    },
    requireUnsuspended(role) {
      if (rights.suspendedRoles.includes(role)) throw new DomainError('exceeds-own-permissions')
    },
    async recheck() {
      await judge(tx, actor, permission, scope)
    }
  }
}

/** Undefined when the session has ended, or its user cannot act. */
async function rightsInSession(tx: Db, actor: Actor, scope: string | undefined) {
  const assurance = sql`${sessions.assurance}`
  const { status, permissions } = currentUserIn(assurance)
  const [user] = await tx
    .select({
      ...{ status, permissions, suspendedRoles: suspendedAnywhere(assurance) },
      ...(scope !== undefined && {
        scoped: scopedRightsOf(sql`${users.id}`, sql`${scope}::text`, assurance)
      })
    })
    .from(users)
    .innerJoin(sessions, isSessionOf(actor))
    .where(eq(users.id, actor.id ?? ''))
  return user?.status === 'active' ? withScope(user, user.scoped) : undefined
}
