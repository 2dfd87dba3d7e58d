import { and, gt, inArray, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { tokens } from '../../../db/schema/tokens.ts'

/**
 * The addresses among these that are kept for an account which had them, and until when: a link can
 * restore them, so nobody else can take them.
 * @param userId the account that may take them back
 */
export async function findReserved(db: Db, emails: string[], userId?: string) {
  if (emails.length === 0) return new Map<string, Date>()
  const found = await db
    .select({
      email: tokens.reservedEmail,
      until: sql<Date>`max(${tokens.expiresAt})`.mapWith(tokens.expiresAt)
    })
    .from(tokens)
    .where(
      and(
        inArray(tokens.reservedEmail, emails),
        gt(tokens.expiresAt, sql`now()`),
        userId === undefined ? undefined : ne(tokens.userId, userId)
      )
    )
    .groupBy(tokens.reservedEmail)
  return new Map(found.map(({ email, until }) => [email ?? '', until]))
}
