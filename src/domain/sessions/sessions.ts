import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, not, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { authenticatedAt, sessions } from '../../../db/schema/sessions.ts'
import type { RevokeReason, sessionSorts, sessionStates } from '../../../db/schema/sessions.ts'
import { ofSeconds } from '../../../db/time.ts'
import { sha256 } from '../crypto.ts'
import { DomainError } from '../errors.ts'
import { filteredPage, page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { networkOf } from '../networks.ts'
import type { Provider } from '../providers/provider.ts'

const session = {
  id: sessions.id,
  userId: sessions.userId,
  createdAt: sessions.createdAt,
  lastSeenAt: sessions.lastSeenAt,
  expiresAt: sessions.expiresAt,
  revokedAt: sessions.revokedAt,
  revokeReason: sessions.revokeReason,
  assurance: sessions.assurance,
  ip: sessions.ip,
  userAgent: sessions.userAgent
}

export interface SessionFilters {
  userId?: string | undefined
  state?: (typeof sessionStates)[number] | undefined
  /** An address, or a network in CIDR notation. */
  ip?: string | undefined
}

const orders = { createdAt: [sessions.createdAt, sessions.id] }
const list = { table: sessions, columns: session, orders }

interface SessionContext {
  db: Db
  sessionRules: SessionRules
}

/** Throws a refusal that names `ip`. */
export async function listSessions(
  { db, sessionRules: { idleSeconds } }: SessionContext,
  { userId, state, ip, ...window }: SessionFilters & Window<(typeof sessionSorts)[number]>
) {
  const network = networkOf(ip)
  const from = network === undefined ? undefined : sql`${sessions.ip} <<= ${network}::inet`
  // Whether a session that was not revoked has expired depends on the clock, which no index covers.
  const isInState =
    state === 'active'
      ? isLive(idleSeconds)
      : state === 'expired'
        ? or(lte(sessions.expiresAt, sql`now()`), not(isInUse(idleSeconds)))
        : undefined
  const isRevoked =
    state && (state === 'revoked' ? isNotNull(sessions.revokedAt) : isNull(sessions.revokedAt))
  const where = and(userId === undefined ? undefined : eq(sessions.userId, userId), isRevoked)
  const filter = and(isInState, from)
  return filter ? filteredPage(db, list, window, { where, filter }) : page(db, list, window, where)
}

export async function findSession(db: Db, id: string) {
  const [found] = await db.select(session).from(sessions).where(eq(sessions.id, id))
  if (!found) throw new DomainError('session-not-found')
  return found
}

/** The active sessions of a user, with the current one marked. */
export async function listOwnSessions(
  context: SessionContext,
  { id: userId, sessionId }: { id: string; sessionId?: string | undefined },
  window: Window<(typeof sessionSorts)[number]>
) {
  const { items, next } = await listSessions(context, { ...window, userId, state: 'active' })
  return { items: items.map((each) => ({ ...each, current: each.id === sessionId })), next }
}

export interface SessionRules {
  idleSeconds: number
  absoluteSeconds: number
  maxPerUser: number
  /** Users with a confirmed address in the domains of one that is required sign in with it only. */
  providers?: readonly Provider[]
}

/** The content of a verified token: the session and its user. */
export interface SessionToken {
  userId: string
  /**
   * In hexadecimal, because tens of thousands are cached and a string takes a third of a Buffer.
   */
  tokenHash: string
}

/** The database keeps only this of a session's secret. */
export const hashSecret = (secret: string): Uint8Array => sha256(secret)

export const isUnexpired = gt(sessions.expiresAt, sql`now()`)

/** Neither revoked nor expired nor idle for too long, by the clock of the database. */
export const isLive = (idleSeconds: number) =>
  and(isNull(sessions.revokedAt), isUnexpired, isInUse(idleSeconds))

/** Not idle for too long. */
export const isInUse = (idleSeconds: number) =>
  gt(sessions.lastSeenAt, sql`now() - ${ofSeconds(idleSeconds)}`)

/** Times in milliseconds. */
export const idleExpiry = (now: number, expiresAt: number, idleSeconds: number) =>
  new Date(Math.min(now + idleSeconds * 1000, expiresAt))

/** The columns of a session as shown to its user. */
export const ownSession = {
  id: sessions.id,
  userId: sessions.userId,
  createdAt: sessions.createdAt,
  expiresAt: sessions.expiresAt,
  authenticatedAt,
  assurance: sessions.assurance,
  amr: sessions.amr
}

/** `ownSession` with the time of the statement, for a session whose user is authenticating. */
export const presentSession = {
  ...ownSession,
  now: sql`now()::timestamptz(3)`.mapWith(sessions.createdAt) // rounded as columns are
}

export type OwnSession = Pick<
  typeof sessions.$inferSelect,
  'id' | 'userId' | 'createdAt' | 'expiresAt' | 'assurance' | 'amr'
> & { authenticatedAt: Date }

/** A session as responses show it, in the request in which its user authenticates. */
export const shownSession = (
  { now, ...session }: OwnSession & { now: Date },
  { idleSeconds }: SessionRules
) => ({
  ...session,
  amr: session.amr.split(' '),
  idleExpiresAt: idleExpiry(now.getTime(), session.expiresAt.getTime(), idleSeconds)
})
export type ShownSession = ReturnType<typeof shownSession>

/** Revokes matching sessions. The caller records it and bumps the scopes of the users. */
export async function revoke(tx: Db, reason: RevokeReason, which: SQL | undefined) {
  return tx
    .update(sessions)
    .set({ revokedAt: sql`now()`, revokeReason: reason })
    .where(and(which, isNull(sessions.revokedAt)))
    .returning({ id: sessions.id, userId: sessions.userId })
}

/**
 * Makes COMMIT wait for the synchronous standby when all matching sessions had already ended. A
 * restarted primary shows ends that its standby may lack, and that a failover would undo. COMMIT
 * waits only if the transaction has written something, and the lock of one row is enough.
 */
export async function awaitReplication(tx: Db, which: SQL | undefined) {
  await tx.select({ id: sessions.id }).from(sessions).where(which).limit(1).for('no key update')
}

/**
 * Ends the oldest active sessions beyond the limit. Call it with the user's row locked, or two
 * concurrent logins could exceed the limit.
 */
export async function revokeOverLimit(
  tx: Db,
  userId: string,
  { idleSeconds, maxPerUser }: SessionRules
) {
  const over = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isLive(idleSeconds)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .offset(maxPerUser)
  const ids = over.map(({ id }) => id)
  return ids.length === 0 ? [] : revoke(tx, 'session-limit', inArray(sessions.id, ids))
}
