import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { isTrusted } from '../actor.ts'
import type { Actor, Permitted } from '../actor.ts'
import { DomainError } from '../domain-error.ts'
import {
  exceedsOwnPermissions,
  permissionDenied,
  unauthenticated,
  userNotFound
} from '../errors.ts'
import type { SystemPermission } from '../permissions.ts'
import { keyRights } from '../keys/owners.ts'
import { isSessionOf } from '../presented-session.ts'
import { requireRevision } from '../revisions.ts'
import type { Expected } from '../revisions.ts'
import { lockUser } from '../users/lock.ts'
import type { LockedUser } from '../users/lock.ts'
import { currentUserIn, userRevision } from '../users/users.ts'

/** Writes and records as `by`, or refuses. */
type Change<L, T> = (tx: Db, by: Permitted, locked: L) => Promise<T>

/**
 * The only way to change what needs a permission. First `lock` locks what the decision depends on;
 * an insertion that waits for another with the same key is a lock as well. Then the actor is judged
 * again: since the request was admitted, and during the wait, their session may have ended and the
 * permission may have been revoked. Then comes the change. Throws `unauthenticated` and
 * `permission-denied`.
 * @param permission one, or all of several
 */
export const changeAs = <L, T>(
  db: Db,
  actor: Actor,
  permission: SystemPermission | SystemPermission[],
  lock: (tx: Db) => Promise<L>,
  change: Change<L, T>
) =>
  transaction(db, async (tx) => {
    const locked = await lock(tx)
    return change(tx, await judge(tx, actor, permission), locked)
  })

/** For changeAs, when nothing that others change decides. */
export const lockNothing = async () => {}

/**
 * Like changeAs, with a lock on a user. Throws `user-not-found`, `precondition-failed`, and
 * `exceeds-own-permissions` when the user has a permission that the actor lacks.
 */
export function actOn<T>(
  db: Db,
  actor: Actor,
  permission: SystemPermission,
  { id, expected }: { id: string; expected?: Expected },
  change: Change<LockedUser, T>
) {
  const lock = (tx: Db) => lockUser(tx, id)
  return changeAs(db, actor, permission, lock, async (tx, by, user) => {
    if (!user) throw userNotFound()
    requireRevision(userRevision(user), expected)
    by.requireAll(user.permissions)
    return change(tx, by, user)
  })
}

/** For reading. Throws as changeAs does. */
export async function requirePermission(db: Db, actor: Actor, permission: SystemPermission) {
  await judge(db, actor, permission)
}

/** Whether an actor may read something as well. Throws `unauthenticated`. */
export async function isPermitted(db: Db, actor: Actor, permission: SystemPermission) {
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
  permission: SystemPermission | SystemPermission[]
): Promise<Permitted> {
  if (isTrusted(actor)) {
    return { ...actor, requireAll() {}, requireUnsuspended() {}, async judgeAgain() {} }
  }
  const rights =
    actor.keyId === undefined ? await rightsInSession(tx, actor) : await keyRights(tx, actor.keyId)
  if (!rights) throw unauthenticated()
  const lacks = (key: string) => !rights.permissions.includes(key)
  const lacking = [permission].flat().find(lacks)
  if (lacking) throw permissionDenied(lacking)
  return {
    ...actor,
    requireAll(permissions) {
      if (permissions.some(lacks)) throw exceedsOwnPermissions()
    },
    requireUnsuspended(role) {
      if (rights.suspendedRoles.includes(role)) throw exceedsOwnPermissions()
    },
    async judgeAgain() {
      await judge(tx, actor, permission)
    }
  }
}

/** Undefined when the session has ended, or its user cannot act. */
async function rightsInSession(tx: Db, actor: Actor) {
  const { status, permissions, suspendedRoles } = currentUserIn(sql`${sessions.assurance}`)
  const [user] = await tx
    .select({ status, permissions, suspendedRoles })
    .from(users)
    .innerJoin(sessions, isSessionOf(actor))
    .where(eq(users.id, actor.id ?? ''))
  return user?.status === 'active' ? user : undefined
}
