import { inArray, lte, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/engine.ts'
import { retried } from '../../db/transaction.ts'

/** Deletes at most `limit` rows that have expired, and returns their number. */
export async function deleteExpired(
  db: Db,
  table: PgTable & { expiresAt: PgColumn },
  key: PgColumn,
  limit: number
): Promise<number> {
  const expired = db
    .select({ key })
    .from(table as PgTable)
    .where(lte(table.expiresAt, sql`now()`))
    .limit(limit)
  const deleted = await retried(() =>
    db.delete(table).where(inArray(key, expired)).returning({ key })
  )
  return deleted.length
}
