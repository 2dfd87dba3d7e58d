import { and, eq, isNotNull, isNull, lte, not, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import type { sessionSorts, sessionStates } from '../../../db/schema/sessions.ts'
import { sessionNotFound } from '../errors.ts'
import { filteredPage, page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { isLive, isInUse } from './sessions.ts'
import type { SessionRules } from './sessions.ts'

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
}

const orders = { createdAt: [sessions.createdAt, sessions.id] }
const list = { table: sessions, columns: session, orders }

interface SessionServices {
  db: Db
  sessionRules: SessionRules
}

export async function listSessions(
  { db, sessionRules: { idleSeconds } }: SessionServices,
  { userId, state, ...window }: SessionFilters & Window<(typeof sessionSorts)[number]>
) {
  const ofUser = userId === undefined ? undefined : eq(sessions.userId, userId)
  if (state === undefined || state === 'revoked') {
    const revoked = state && isNotNull(sessions.revokedAt)
    return page(db, list, window, and(ofUser, revoked))
  }
  // Whether a session that was not revoked has expired depends on the clock, which no index covers.
  const filter =
    state === 'active'
      ? isLive(idleSeconds)
      : or(lte(sessions.expiresAt, sql`now()`), not(isInUse(idleSeconds)))
  const where = and(ofUser, isNull(sessions.revokedAt))
  return filteredPage(db, list, window, { where, filter })
}

export async function findSession(db: Db, id: string) {
  const [found] = await db.select(session).from(sessions).where(eq(sessions.id, id))
  if (!found) throw sessionNotFound()
  return found
}

/** The active sessions of a user, with the current one marked. */
export async function listOwnSessions(
  services: SessionServices,
  { id: userId, sessionId }: { id: string; sessionId?: string | undefined },
  window: Window<(typeof sessionSorts)[number]>
) {
  const { items, next } = await listSessions(services, { ...window, userId, state: 'active' })
  return { items: items.map((each) => ({ ...each, current: each.id === sessionId })), next }
}
