import { and, asc, count, eq, gte, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/engine.ts'
import { ofDays } from '../../../db/intervals.ts'
import { activity } from '../../../db/schema/activity.ts'
import type { activityBuckets, ActivityRow, activitySorts } from '../../../db/schema/activity.ts'
import { retried } from '../../../db/transaction.ts'
import { activityNotFound, invalidFields } from '../errors.ts'
import { filteredPage, page } from '../pages.ts'
import type { Window } from '../pages.ts'
import type { SignedInActor } from './record.ts'

export interface ActivityFilters {
  action?: string | undefined
  outcome?: ActivityRow['outcome'] | undefined
  actorId?: string | undefined
  targetId?: string | undefined
  /** Inclusive. */
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
}
type Order = Window<(typeof activitySorts)[number]>

const columns = {
  id: activity.id,
  at: activity.at,
  action: activity.action,
  outcome: activity.outcome,
  reason: activity.reason,
  actorType: activity.actorType,
  actorId: activity.actorId,
  actorLabel: activity.actorLabel,
  targetType: activity.targetType,
  targetId: activity.targetId,
  ip: activity.ip,
  userAgent: activity.userAgent,
  requestId: activity.requestId,
  source: activity.source,
  details: activity.details
}

const orders = { at: [activity.at, activity.id] }

export async function listActivity(
  db: Db,
  { action, outcome, actorId, targetId, from, to, ...window }: ActivityFilters & Order
) {
  const inSpan = between(from, to)
  const byWhat = [
    action === undefined ? undefined : eq(activity.action, action),
    outcome && eq(activity.outcome, outcome)
  ]
  const byWhom = [
    targetId === undefined ? undefined : eq(activity.targetId, targetId),
    actorId === undefined ? undefined : eq(activity.actorId, actorId)
  ].filter((each) => each !== undefined)
  const [one, ...others] = byWhom
  // Each filter has an index in the order of time, and so does action with outcome; other
  // combinations do not.
  if (!one || (others.length === 0 && byWhat.every((each) => each === undefined))) {
    return page(window, orders, ({ position, after, orderBy, limit }) =>
      db
        .select({ ...columns, position })
        .from(activity)
        .where(and(one, ...byWhat, inSpan, after))
        .orderBy(...orderBy)
        .limit(limit)
    )
  }
  return filteredPage(
    db,
    window,
    orders,
    { table: activity, where: and(one, inSpan), indexed: [one, ...others, ...byWhat] },
    (matches, { position, orderBy, limit }) =>
      db
        .select({ ...columns, position })
        .from(matches)
        .orderBy(...orderBy)
        .limit(limit)
  )
}

/** The actions of a user and the actions on them. Other actors are not identified. */
export async function listOwnActivity(db: Db, { id: userId }: SignedInActor, window: Order) {
  const { items, next } = await page(window, orders, ({ position, after, orderBy, limit }) => {
    const part = (which: SQL | undefined) =>
      db
        .select({ ...columns, position: position.as('position') })
        .from(activity)
        .where(and(which, after))
        .orderBy(...orderBy)
        .limit(limit)
    // Merges scans of two indexes, each of which ends after one page.
    return unionAll(
      part(eq(activity.actorId, userId)),
      part(
        and(
          eq(activity.targetId, userId),
          or(isNull(activity.actorId), ne(activity.actorId, userId))
        )
      )
    )
      .orderBy(...orderBy)
      .limit(limit)
  })
  const stranger = { actorId: null, actorLabel: null, ip: null, userAgent: null, requestId: null }
  return {
    items: items.map((item) =>
      item.actorId === userId || item.actorType === 'anonymous' ? item : { ...item, ...stranger }
    ),
    next
  }
}

export async function findActivity(db: Db, id: string) {
  const [found] = await db.select(columns).from(activity).where(eq(activity.id, id))
  if (!found) throw activityNotFound()
  return found
}

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
  const start =
    sql<Date>`date_trunc(${bucket === 'hour' ? sql`'hour'` : sql`'day'`}, ${activity.at}, 'UTC')`.mapWith(
      activity.at
    )
  const items = await db
    .select({ start, action: activity.action, outcome: activity.outcome, count: count() })
    .from(activity)
    .where(between(from, to))
    .groupBy(start, activity.action, activity.outcome)
    .orderBy(start, activity.action, activity.outcome)
  return { bucket, from, to, items }
}

/**
 * Deletes one batch of the records older than `days` and returns their number. Does not lock rows,
 * because the server's role may lack the right to update records, which locks require.
 */
export async function deleteOldActivity(db: Db, days: number, batch = 1000): Promise<number> {
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

const between = (from: Date | undefined, to: Date | undefined) =>
  and(from && gte(activity.at, from), to && lt(activity.at, to))
