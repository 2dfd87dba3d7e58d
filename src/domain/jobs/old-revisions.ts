import { and, isNotNull, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { ofDays } from '../../../db/intervals.ts'
import { flagRevisions } from '../../../db/schema/flag-revisions.ts'
import { transaction } from '../../../db/transaction.ts'
import { isDeletion, isLast, keptRevisions } from '../flags/revisions.ts'

const { kind, key, version, at } = flagRevisions
const isOlder = (days: number) => sql`${at} < now() - ${ofDays(days)}`

/** Revisions of keys that were deleted so long ago, up to the deletion. */
const ofDeleted = (days: number) => sql`exists (
  select from (select ${kind}, ${key}, ${version} from ${flagRevisions}
    where ${and(isDeletion, isOlder(days), isLast)}) as deleted
  where deleted.kind = ${kind} and deleted.key = ${key} and deleted.version >= ${version})`

/** Old revisions, except the newest ones of each key. */
const surplus = (days: number) => sql`${isOlder(days)} and exists (
  select from ${flagRevisions} as newer
  where newer.kind = ${kind} and newer.key = ${key} and newer.version > ${version}
  offset ${keptRevisions.always - 1}::int)`

/**
 * Deletes revisions of flags that were deleted before the retention of the activity, and surplus
 * ones, and removes the actors of others that are as old. Handles at most `limit` rows of each.
 * Returns their number, and whether there may be more.
 */
export async function tidyRevisions(db: Db, days: number, limit: number) {
  const remove = async (which: SQL) =>
    transaction(db, (tx) =>
      tx
        .delete(flagRevisions)
        .where(next(db, which, limit))
        .returning({ version })
    )
  const removed = [await remove(ofDeleted(days)), await remove(surplus(days))]
  const isNamed = and(isOlder(days), isNotNull(flagRevisions.actorLabel)) ?? sql`false`
  const forgotten = await transaction(db, (tx) =>
    tx
      .update(flagRevisions)
      .set({ actorId: null, actorLabel: null })
      .where(next(db, isNamed, limit))
      .returning({ version })
  )
  const counts = [...removed, forgotten].map((rows) => rows.length)
  return {
    deleted: removed.flat().length,
    isDone: counts.every((count) => count < limit)
  }
}

const next = (db: Db, which: SQL, limit: number) => {
  const rows = db.select({ kind, key, version }).from(flagRevisions).where(which).limit(limit)
  return sql`(${kind}, ${key}, ${version}) in ${rows}`
}
