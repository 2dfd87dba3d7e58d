import { inArray, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { registrations } from '../../../db/schema/registrations.ts'
import { tokens } from '../../../db/schema/tokens.ts'
import { retried } from '../../../db/transaction.ts'

/** Deletes tokens that have expired, at most `limit`, and returns how many. */
export async function deleteExpiredTokens(db: Db, limit: number): Promise<number> {
  const expired = db
    .select({ hash: tokens.hash })
    .from(tokens)
    .where(lte(tokens.expiresAt, sql`now()`))
    .limit(limit)
  const deleted = await retried(() =>
    db.delete(tokens).where(inArray(tokens.hash, expired)).returning({ hash: tokens.hash })
  )
  return deleted.length
}

/** Deletes registrations that nobody confirmed in time, with their tokens. */
export async function deleteExpiredRegistrations(db: Db, limit: number): Promise<number> {
  const expired = db
    .select({ id: registrations.id })
    .from(registrations)
    .where(lte(registrations.expiresAt, sql`now()`))
    .limit(limit)
  const deleted = await retried(() =>
    db
      .delete(registrations)
      .where(inArray(registrations.id, expired))
      .returning({ id: registrations.id })
  )
  return deleted.length
}
