import { and, count, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import type { activityBuckets } from '../../../db/schema/activity.ts'
import { invalidFields } from '../domain-error.ts'
import { matching } from './filters.ts'
import type { ActivityFilters } from './filters.ts'
import { refusalActions } from './refusals.ts'

/** The maximum number of days in a summary per hour and per day. */
const longest = { hour: 7, day: 92 }

const day = 86_400_000
/** The largest 32-bit integer, which is the type in the API document. */
const mostOccurrences = 2_147_483_647

/**
 * Counts records per action, outcome and hour or day (UTC), oldest first, and how often each
 * happened: repeated refusals share a record. `to` defaults to now, and `from` to the start of the
 * longest period allowed. Throws a refusal that names `from` when the period is too long or
 * negative.
 */
export async function summarizeActivity(
  db: Db,
  {
    bucket,
    to = new Date(),
    from = new Date(to.getTime() - longest[bucket] * day),
    ...filters
  }: ActivityFilters & { bucket: (typeof activityBuckets)[number] }
) {
  const problem =
    from >= to
      ? 'Must be before `to`'
      : to.getTime() - from.getTime() > longest[bucket] * day
        ? `Must be at most ${longest[bucket]} days before \`to\` when counting by ${bucket}`
        : undefined
  if (problem) {
    throw invalidFields({ pointer: '/query/from', code: 'out-of-range', message: problem })
  }
  const unit = bucket === 'hour' ? sql`'hour'` : sql`'day'`
  const start = sql<Date>`date_trunc(${unit}, ${activity.at}, 'UTC')`.mapWith(activity.at)
  const group = { start, action: activity.action, outcome: activity.outcome }
  const groups = Object.values(group)
  const where = matching({ ...filters, from, to })
  const counted = await db
    .select({ ...group, count: count() })
    .from(activity)
    .where(where)
    .groupBy(...groups)
    .orderBy(...groups)
  // Apart from the counts, for which an index is enough.
  const repeated = await db
    .select({ ...group, more: sql<number>`sum((${activity.details}->>'count')::int - 1)::float8` })
    .from(activity)
    .where(and(where, inArray(activity.action, refusalActions), sql`${activity.details} ? 'count'`))
    .groupBy(...groups)
  const more = new Map(repeated.map((row) => [groupOf(row), row.more]))
  const items = counted.map((row) => ({
    ...row,
    occurrences: Math.min(row.count + (more.get(groupOf(row)) ?? 0), mostOccurrences)
  }))
  return { bucket, from, to, items }
}

const groupOf = ({ start, action, outcome }: { start: Date; action: string; outcome: string }) =>
  `${start.getTime()} ${action} ${outcome}`
