import { sql } from 'drizzle-orm'
import { activity } from '../schema/activity.ts'
import type { Db } from '../engine.ts'
import { isPartitioned } from '../indexes.ts'
import { readTime } from '../time.ts'

export const defaultPart = 'activity_default'
/** A check that exists only while a table becomes a partition: no later records are accepted. */
export const boundCheck = 'activity_bound'

export type Part = NonNullable<Awaited<ReturnType<typeof readParts>>>[number]

/** The partitions by time, the default last; undefined when the activity is not partitioned. */
export async function readParts(db: Db) {
  if (!(await isPartitioned(db, 'activity'))) return undefined
  const limit = (word: string) =>
    sql<Date | null>`substring(bound from ${`${word} \\('([^']+)'\\)`})::timestamptz`.mapWith(
      activity.at
    )
  const to = limit('TO')
  return db
    .select({
      name: sql<string>`name`,
      /** Inclusive; null for no limit. */
      from: limit('FROM'),
      /** Exclusive; null for the default partition. */
      to,
      /** Estimates. */
      records: sql<number>`records`,
      bytes: sql<number>`bytes`
    })
    .from(
      sql`(select relname as name, pg_get_expr(relpartbound, oid) as bound,
        greatest(reltuples, 0)::float8 as records, pg_total_relation_size(oid)::float8 as bytes
        from pg_inherits join pg_class on oid = inhrelid
        where inhparent = to_regclass('activity')) as parts`
    )
    .orderBy(sql`${to} nulls last`)
}

/** The largest number of misplaced records that is counted exactly. */
export const mostCounted = 1000

/**
 * How far ahead partitions exist, and how many records are in the default partition. Undefined when
 * the activity is not partitioned, and not about to be.
 */
export async function readCoverage(db: Db) {
  const definition = sql`pg_get_constraintdef(bound.oid)`
  const [table] = await db
    .select({
      isPartitioned: sql<boolean>`relkind = 'p'`,
      end: sql<Date | null>`substring(${definition} from 'at < ''([^'']+)''')::timestamptz`.mapWith(
        activity.at
      )
    })
    .from(
      sql`pg_class left join pg_constraint as bound on conname = ${boundCheck}
        and conrelid in (pg_class.oid, to_regclass(${defaultPart}))`
    )
    .where(sql`pg_class.oid = to_regclass('activity')`)
  if (!table || !(table.isPartitioned || table.end)) return undefined
  const now = await readTime(db)
  const until = table.end ?? coveredUntil((await readParts(db)) ?? [], now)
  return {
    /**
     * Until then every record has a partition of its month. If `unfinished`, later records are
     * rejected.
     */
    until,
    /** The number of whole months after the current one. */
    monthsLeft: Math.max(0, monthOf(until) - monthOf(now) - 1),
    /** In the default partition; at most `mostCounted`. */
    strays: table.isPartitioned ? await countStrays(db, mostCounted) : 0,
    /** A partitioning was interrupted: records of a later time are rejected. */
    unfinished: table.end !== null
  }
}

/** The number of records in the default partition, or `most` if there are more. */
export async function countStrays(db: Db, most: number) {
  const [strays] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(sql`(select from ${sql.identifier(defaultPart)} limit ${most}) as strays`)
  return strays?.count ?? 0
}

/** The end of the partitions that follow each other without a gap; at least `now`. */
function coveredUntil(parts: Part[], now: Date) {
  return parts.reduce(
    (until, { from, to }) => (to && to > until && (!from || from <= until) ? to : until),
    now
  )
}

const monthOf = (time: Date) => time.getUTCFullYear() * 12 + time.getUTCMonth()

/** The first moment of a month (UTC), this many months after that of `time`. */
export const firstOfMonth = (time: Date, months: number) =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months))
