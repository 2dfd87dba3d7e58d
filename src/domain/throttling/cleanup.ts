import { and, asc, between, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { throttle } from '../../../db/schema/throttle.ts'
import { retried, transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../activity/record.ts'
import { slowAfter } from './buckets.ts'
import type { AccountKeys, KeyRange } from './buckets.ts'

/**
 * Deletes all buckets of an account for an operator, and returns their number.
 */
export async function resetThrottle(
  db: Db,
  actor: Actor,
  { userId, keys }: { userId: string; keys: AccountKeys }
): Promise<number> {
  return transaction(db, async (tx) => {
    const deleted = (await deleteThrottles(tx, keys)) + (await deleteCodeThrottles(tx, keys))
    if (deleted > 0) {
      await record(tx, actor, 'throttle.reset', { target: { type: 'user', id: userId } })
    }
    return deleted
  })
}

/** Deletes the buckets of an account except those of its second factor. Returns their number. */
export const deleteThrottles = (tx: Db, keys: AccountKeys) =>
  deleteBuckets(tx, or(isIn(keys), eq(throttle.bucket, keys.password)))

/** Deletes the buckets of the second factor, of all devices. Returns their number. */
export const deleteCodeThrottles = (tx: Db, { secondFactor }: AccountKeys) =>
  deleteBuckets(tx, isIn(secondFactor))

const isIn = ({ first, last }: KeyRange) => between(throttle.bucket, first, last)

async function deleteBuckets(tx: Db, which: SQL | undefined) {
  const deleted = await tx.delete(throttle).where(which).returning({ fails: throttle.fails })
  return deleted.length
}

/**
 * Deletes at most `limit` buckets whose full limit has been available for a day, and returns their
 * number.
 * Buckets in slow mode (`slowAfter` failures) are kept for a year: otherwise an attacker could
 * pause for a day and start again. They are not kept forever, because attackers also try addresses
 * without an account.
 */
export async function deleteOldThrottles(db: Db, limit: number): Promise<number> {
  const forgotten = or(
    and(lt(throttle.tat, sql`now() - interval '24 hours'`), lt(throttle.fails, slowAfter)),
    lt(throttle.tat, sql`now() - interval '365 days'`)
  )
  const old = db
    .select({ bucket: throttle.bucket })
    .from(throttle)
    .where(forgotten)
    .orderBy(asc(throttle.tat))
    .limit(limit)
  const deleted = await retried(() =>
    db
      .delete(throttle)
      // Repeats the condition, because a bucket may have been charged since it was selected.
      .where(and(inArray(throttle.bucket, old), forgotten))
      .returning({ bucket: throttle.bucket })
  )
  return deleted.length
}
