import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { sessions } from '../../db/schema/sessions.ts'

/** What a request was authenticated with. */
interface Presented {
  /** Id of the user. */
  id?: string | undefined
  sessionId?: string | undefined
  /** Of the secret in the token, in hexadecimal. */
  tokenHash?: string | undefined
}

/**
 * The session of a request, unless it has ended or its secret was replaced since. Found by its id
 * alone, a request with a copied cookie and a late body would get the assurance that the owner has
 * proved in the meantime. Ignores idle time: the session was active when the headers of the request
 * arrived.
 */
export const isSessionOf = ({ id, sessionId, tokenHash }: Presented) =>
  id === undefined || sessionId === undefined || tokenHash === undefined
    ? sql`false`
    : and(
        eq(sessions.id, sessionId),
        eq(sessions.userId, id),
        eq(sessions.tokenHash, Buffer.from(tokenHash, 'hex')),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql`now()`)
      )
