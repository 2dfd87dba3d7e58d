import { and, eq, gt, inArray, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { ofSeconds } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import { authorizedOn } from '../access/authorize.ts'
import { record } from '../activity/record.ts'
import { asUser, isSessionOf } from '../actor.ts'
import type { Actor, Author, SignedInActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { endPendingLogins } from '../factors/pending-logins.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { awaitReplication, isUnexpired, revoke } from './sessions.ts'
import type { SessionToken } from './sessions.ts'

// Sessions can be revoked regardless of idle time: instances may disagree about it while its
// variable is being changed, and the command line may not have it.

// The target of these records is the user, so that they are found in the activity of the user.

/**
 * Revokes an active session of the user. Throws `session-not-found`, also for other users'
 * sessions, and `unauthenticated`.
 */
export async function revokeOwnSession(db: Db, actor: SignedInActor, { id }: { id: string }) {
  await transaction(db, async (tx) => {
    await requireOwnSession(tx, actor)
    const which = and(eq(sessions.id, id), eq(sessions.userId, actor.id), isUnexpired)
    const { length: revoked } = await revoke(tx, 'revoked', which)
    if (revoked === 0) throw new DomainError('session-not-found')
    await record(tx, actor, 'session.revoke', { userId: actor.id, details: { sessionId: id } })
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
  const [found] = await db.select({ id: sessions.userId }).from(sessions).where(eq(sessions.id, id))
  if (!found) throw new DomainError('session-not-found')
  await authorizedOn(db, actor, 'sessions:revoke', found, async (tx, by, target) => {
    const { length: revoked } = await revoke(tx, 'revoked', and(eq(sessions.id, id), isUnexpired))
    if (revoked === 0) throw new DomainError('session-not-found')
    await record(tx, by, 'session.revoke', { userId: target.id, details: { sessionId: id } })
    await bumpUsers(tx, target.id)
  })
}

/**
 * Revokes all sessions of a user, if any. Throws `user-not-found` and `exceeds-own-permissions`.
 */
export async function revokeUserSessions(db: Db, actor: Actor, { userId }: { userId: string }) {
  await authorizedOn(db, actor, 'sessions:revoke', { id: userId }, (tx, by) =>
    revokeAll(tx, by, userId)
  )
}

async function revokeAll(tx: Db, by: Author, userId: string, except?: string) {
  await endPendingLogins(tx, userId)
  const which = and(
    eq(sessions.userId, userId),
    except === undefined ? undefined : ne(sessions.id, except),
    isUnexpired
  )
  const { length: revoked } = await revoke(tx, 'revoked', which)
  if (revoked === 0) return awaitReplication(tx, which)
  await record(tx, by, 'session.revoke', { userId, details: { revoked } })
  await bumpUsers(tx, userId)
}

/**
 * Locks the actor's own user and checks again that the session has not ended, so that of two
 * sessions that revoke each other one succeeds. Throws `unauthenticated`.
 */
async function requireOwnSession(tx: Db, actor: SignedInActor) {
  const user = eq(users.id, actor.id)
  await tx.select({ id: users.id }).from(users).where(user).for('no key update')
  // A second statement, because after waiting for the lock the first one would see the old session.
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(sessions, isSessionOf(actor))
    .where(and(user, eq(users.status, 'active')))
  if (found.length === 0) throw new DomainError('unauthenticated')
}

/** Seconds for which the previous secret of a session can still end it, and do nothing else. */
const previousSeconds = 60

const hashOf = ({ tokenHash }: SessionToken) => Buffer.from(tokenHash, 'hex')

const isPresented = (tokens: SessionToken[]) =>
  and(inArray(sessions.tokenHash, tokens.map(hashOf)), isUnexpired)

const wasPresented = (tokens: SessionToken[]) =>
  and(
    or(
      ...tokens.map((token) =>
        and(eq(sessions.userId, token.userId), eq(sessions.previousTokenHash, hashOf(token)))
      )
    ),
    gt(sessions.secretReplacedAt, sql`now() - ${ofSeconds(previousSeconds)}`),
    isUnexpired
  )

/**
 * Revokes the sessions of the tokens that came with a request. If the user authenticates again
 * meanwhile, the request carries the previous secret. Its session ends all the same.
 */
export async function revokePresented(
  tx: Db,
  reason: 'logout' | 'replaced',
  tokens: SessionToken[]
) {
  if (tokens.length === 0) return []
  const ended = await revoke(tx, reason, isPresented(tokens))
  if (ended.length === tokens.length) return ended
  // A second statement, because the first one may have waited for a new secret.
  return [...ended, ...(await revoke(tx, reason, wasPresented(tokens)))]
}

/** Ends those of these sessions that are active, and records `auth.logout` for each user. */
export async function signOut(db: Db, actor: Actor, { tokens }: { tokens: SessionToken[] }) {
  if (tokens.length === 0) return
  await transaction(db, async (tx) => {
    const ended = await revokePresented(tx, 'logout', tokens)
    if (ended.length === 0) {
      return awaitReplication(tx, or(isPresented(tokens), wasPresented(tokens)))
    }
    const userIds = ended.map((session) => session.userId)
    const owners = await tx
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(inArray(users.id, userIds))
    for (const session of ended) {
      const owner = owners.find((user) => user.id === session.userId)
      await record(tx, owner ? asUser(actor, owner) : actor, 'auth.logout', {
        target: { type: 'session', id: session.id }
      })
    }
    await bumpUsers(tx, ...userIds)
  })
}
