import { asc, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { ofDays } from '../../../db/intervals.ts'
import { activity } from '../../../db/schema/activity.ts'
import { retried } from '../../../db/transaction.ts'

/**
 * Deletes one batch of the records older than `days` and returns their number. Does not lock rows,
 * because the server's role may lack the right to update records, which locks require.
 */
export async function deleteOldActivity(db: Db, days: number, batch: number): Promise<number> {
  const old = db
    .select({ id: activity.id })
    .from(activity)
    .where(lt(activity.at, sql`now() - ${ofDays(days)}`))
    .orderBy(asc(activity.at), asc(activity.id))
    .limit(batch)
  const deleted = await retried(() =>
    db.delete(activity).where(inArray(activity.id, old)).returning({ id: activity.id })
  )
  return deleted.length
}
