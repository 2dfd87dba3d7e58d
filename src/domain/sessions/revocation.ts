import { and, eq, gt, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { userScope } from '../../../db/schema/epochs.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { Actor, SignedInActor } from '../activity/record.ts'
import { bump } from '../freshness/epochs.ts'
import { sessionNotFound } from '../errors.ts'
import { actOn } from '../access/rights.ts'
import { revoke } from './sessions.ts'

/**
 * Idle time protects no session from being ended: instances may disagree on it, while it is being
 * changed, and the command line need not know it.
 */
const isUnexpired = gt(sessions.expiresAt, sql`now()`)

// The target of these records is the user: that is where they, and who answers for them, will look.

/** Ends one's own live session; anybody else's is not found. */
export async function revokeOwnSession(db: Db, actor: SignedInActor, { id }: { id: string }) {
  await transaction(db, async (tx) => {
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
    await bump(tx, userScope(actor.id))
  })
}

/** Ends every session of the user but the one they ask from. */
export async function revokeOtherSessions(db: Db, actor: SignedInActor) {
  await transaction(db, (tx) => revokeAll(tx, actor, actor.id, actor.sessionId))
}

/** Ends somebody's session. Throws `session-not-found` for one that lives no more, and `exceeds-own-permissions`. */
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
    await bump(tx, userScope(target.id))
  })
}

/** Ends all sessions of a user; none is fine. Throws `user-not-found` and `exceeds-own-permissions`. */
export async function revokeUserSessions(db: Db, actor: Actor, { userId }: { userId: string }) {
  await transaction(db, async (tx) => {
    const { target, requireAuthority } = await actOn(tx, actor, 'sessions:revoke', userId)
    requireAuthority()
    await revokeAll(tx, actor, target.id)
  })
}

async function revokeAll(tx: Db, actor: Actor, userId: string, except?: string) {
  const ended = await revoke(
    tx,
    'revoked',
    and(
      eq(sessions.userId, userId),
      except === undefined ? undefined : ne(sessions.id, except),
      isUnexpired
    )
  )
  if (ended.length === 0) return
  await record(tx, actor, 'session.revoke', {
    target: { type: 'user', id: userId },
    details: { revoked: ended.length }
  })
  await bump(tx, userScope(userId))
}
