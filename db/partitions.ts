import { sql } from 'drizzle-orm'
import type { Db } from './engine.ts'
import { isPartitioned } from './indexes.ts'
import { activity } from './schema/activity.ts'
import { readTime } from './time.ts'

/**
 * How far ahead the activity has partitions, which only pg_partman creates. Undefined when it is
 * not partitioned.
 */
export async function readCoverage(db: Db) {
  if (!(await isPartitioned(db, 'activity'))) return undefined
  const limit = (word: string) =>
    sql<Date | null>`substring(pg_get_expr(relpartbound, oid)
      from ${`${word} \\('([^']+)'\\)`})::timestamptz`.mapWith(activity.at)
  const [from, to] = [limit('FROM'), limit('TO')]
  // The lower limit of the first partition may be MINVALUE, and the default one has no limits.
  const parts = await db
    .select({ from, to })
    .from(sql`pg_inherits join pg_class on oid = inhrelid`)
    .where(sql`inhparent = to_regclass('activity')`)
    .orderBy(sql`${to} nulls last`)
  const now = await readTime(db)
  const until = parts.reduce(
    (end, { from, to }) => (to && to > end && (!from || from <= end) ? to : end),
    now
  )
  const [extension] = await db
    .select({ name: sql`extname` })
    .from(sql`pg_extension`)
    .where(sql`extname = 'pg_partman'`)
  return {
    /** Until then, every month from now on has a partition. */
    until,
    /** The number of whole months after the current one. */
    monthsLeft: Math.max(0, monthOf(until) - monthOf(now) - 1),
    hasPartman: extension !== undefined
  }
}

const monthOf = (time: Date) => time.getUTCFullYear() * 12 + time.getUTCMonth()

/**
 * The table on which an interrupted `portal activity partition` of an earlier version has left a
 * check that rejects records from some day on.
 */
export async function findLeftBound(db: Db) {
  const [bound] = await db
    .select({ table: sql<string>`conrelid::regclass::text` })
    .from(sql`pg_constraint`)
    .where(sql`conname = 'activity_bound' and contype = 'c'`)
  return bound?.table
}
