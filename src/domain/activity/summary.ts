import { count, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import type { activityBuckets } from '../../../db/schema/activity.ts'
import { invalidFields } from '../domain-error.ts'
import { between } from './list.ts'

/** The maximum number of days in a summary per hour and per day. */
const longest = { hour: 7, day: 92 }

const day = 86_400_000

/**
 * Counts records per action, outcome and hour or day (UTC), oldest first. `to` defaults to now, and
 * `from` to the start of the longest period allowed. Throws a refusal that names `from` when the
 * period is too long or negative.
 */
export async function summariseActivity(
  db: Db,
  {
    bucket,
    to = new Date(),
    from = new Date(to.getTime() - longest[bucket] * day)
  }: { bucket: (typeof activityBuckets)[number]; from?: Date | undefined; to?: Date | undefined }
) {
  const problem =
    from >= to
      ? 'Must be before `to`'
      : to.getTime() - from.getTime() > longest[bucket] * day
        ? `At most ${longest[bucket]} days before \`to\` by the ${bucket}`
        : undefined
  if (problem) {
    throw invalidFields({ pointer: '/query/from', code: 'out-of-range', message: problem })
  }
  const unit = bucket === 'hour' ? sql`'hour'` : sql`'day'`
  const start = sql<Date>`date_trunc(${unit}, ${activity.at}, 'UTC')`.mapWith(activity.at)
  const items = await db
    .select({ start, action: activity.action, outcome: activity.outcome, count: count() })
    .from(activity)
    .where(between(from, to))
    .groupBy(start, activity.action, activity.outcome)
    .orderBy(start, activity.action, activity.outcome)
  return { bucket, from, to, items }
}
