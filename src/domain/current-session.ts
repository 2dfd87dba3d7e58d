import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { sessions } from '../../db/schema/sessions.ts'
import type { Actor } from './actor.ts'

/**
 * The session of a request, unless it has ended or its secret was replaced since. Found by its id
 * alone, a request with a copied cookie and a late body would get the assurance that the owner has
 * proved in the meantime. Ignores idle time: the session was active when the headers of the request
 * arrived.
 */
export const isSessionOf = ({
  id,
  sessionId,
  tokenHash
}: Pick<Actor, 'id' | 'sessionId' | 'tokenHash'>) =>
  id === undefined || sessionId === undefined || tokenHash === undefined
    ? sql`false`
    : and(
        eq(sessions.id, sessionId),
        eq(sessions.userId, id),
        eq(sessions.tokenHash, Buffer.from(tokenHash, 'hex')),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql`now()`)
      )
