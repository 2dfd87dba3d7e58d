import { and, eq, gt, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { Actor, SignedInActor } from '../actor.ts'
import { endPendingLogins } from '../factors/pending-logins.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { sessionNotFound } from '../errors.ts'
import { actOn, requireOwnSession } from '../access/rights.ts'
import { lockEnded, revoke } from './sessions.ts'

/**
 * Sessions can be revoked regardless of idle time: instances may disagree about it while its
 * variable is being changed, and the command line may not have it.
 */
const isUnexpired = gt(sessions.expiresAt, sql`now()`)

// The target of these records is the user, so that they are found in the activity of the user.

/**
 * Revokes an active session of the user. Throws `session-not-found`, also for other users'
 * sessions, and `unauthenticated`.
 */
export async function revokeOwnSession(db: Db, actor: SignedInActor, { id }: { id: string }) {
  await transaction(db, async (tx) => {
    await requireOwnSession(tx, actor)
    const ended = await revoke(
      tx,
      'revoked',
      and(eq(sessions.id, id), eq(sessions.userId, actor.id), isUnexpired)
    )
    if (ended.length === 0) throw sessionNotFound()
    await record(tx, actor, 'session.revoke', {
      target: { type: 'user', id: actor.id },
      details: { sessionId: id }
    })
    await bumpUsers(tx, actor.id)
  })
}

/** Revokes every session of the user except the current one. Throws `unauthenticated`. */
export async function revokeOtherSessions(db: Db, actor: SignedInActor) {
  await transaction(db, async (tx) => {
    await requireOwnSession(tx, actor)
    await revokeAll(tx, actor, actor.id, actor.sessionId)
  })
}

/**
 * Revokes a session. Throws `session-not-found`, also for ended ones, and
 * `exceeds-own-permissions`.
 */
export async function revokeSession(db: Db, actor: Actor, { id }: { id: string }) {
  await transaction(db, async (tx) => {
    const [found] = await tx
      .select({ userId: sessions.userId })
      .from(sessions)
      .where(eq(sessions.id, id))
    if (!found) throw sessionNotFound()
    const { target, requireAuthority } = await actOn(tx, actor, 'sessions:revoke', found.userId)
    requireAuthority()
    const ended = await revoke(tx, 'revoked', and(eq(sessions.id, id), isUnexpired))
    if (ended.length === 0) throw sessionNotFound()
    await record(tx, actor, 'session.revoke', {
      target: { type: 'user', id: target.id },
      details: { sessionId: id }
    })
    await bumpUsers(tx, target.id)
  })
}

/**
 * Revokes all sessions of a user, if any. Throws `user-not-found` and `exceeds-own-permissions`.
 */
export async function revokeUserSessions(db: Db, actor: Actor, { userId }: { userId: string }) {
  await transaction(db, async (tx) => {
    const { target, requireAuthority } = await actOn(tx, actor, 'sessions:revoke', userId)
    requireAuthority()
    await revokeAll(tx, actor, target.id)
  })
}

async function revokeAll(tx: Db, actor: Actor, userId: string, except?: string) {
  await endPendingLogins(tx, userId)
  const which = and(
    eq(sessions.userId, userId),
    except === undefined ? undefined : ne(sessions.id, except),
    isUnexpired
  )
  const ended = await revoke(tx, 'revoked', which)
  if (ended.length === 0) return lockEnded(tx, which)
  await record(tx, actor, 'session.revoke', {
    target: { type: 'user', id: userId },
    details: { revoked: ended.length }
  })
  await bumpUsers(tx, userId)
}
