import { between, or } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { throttle } from '../../../db/schema/throttle.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { CommandLine } from '../actor.ts'
import type { AccountKeys, KeyRange } from './buckets.ts'

/**
 * Deletes all buckets of an account for an operator, and returns their number.
 */
export async function resetThrottle(
  db: Db,
  actor: CommandLine,
  { userId, keys }: { userId: string; keys: AccountKeys }
): Promise<number> {
  return transaction(db, async (tx) => {
    const deleted = (await deleteThrottles(tx, keys)) + (await deleteCodeThrottles(tx, keys))
    if (deleted > 0) {
      await record(tx, actor, 'throttle.reset', { userId })
    }
    return deleted
  })
}

/** Deletes the buckets of an account except those of its second factor. Returns their number. */
export const deleteThrottles = (tx: Db, keys: AccountKeys) =>
  deleteBuckets(tx, or(isIn(keys), isIn(keys.mail), isIn(keys.password)))

/** Deletes the buckets of the second factor, of all devices. Returns their number. */
export const deleteCodeThrottles = (tx: Db, { secondFactor }: AccountKeys) =>
  deleteBuckets(tx, isIn(secondFactor))

const isIn = ({ first, last }: KeyRange) => between(throttle.bucket, first, last)

async function deleteBuckets(tx: Db, which: SQL | undefined) {
  const deleted = await tx.delete(throttle).where(which).returning({ fails: throttle.fails })
  return deleted.length
}
