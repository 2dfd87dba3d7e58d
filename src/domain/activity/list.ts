import { and, count, eq, getTableColumns, gte, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import type { activityBuckets, ActivityRow, activitySorts } from '../../../db/schema/activity.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { DomainError, invalidFields } from '../errors.ts'
import { filteredPage, mergedPage, page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { networkOf } from '../networks.ts'
import { ownActions } from '../vocabulary.ts'
import { refusalActions } from './refusals.ts'

type Order = Window<(typeof activitySorts)[number]>

const orders = { at: [activity.at, activity.id] }
const list = { table: activity, columns: getTableColumns(activity), orders }

/** Adds to a record of the app when such a record is written, in the words of the app. */
export function described(row: ActivityRow): ActivityRow & { when?: string } {
  const own = ownActions.get(row.action)
  return own ? { ...row, when: own.when } : row
}

export async function listActivity(db: Db, filters: ActivityFilters & Order) {
  const { items, next } = await findPage(db, filters)
  return { items: items.map(described), next }
}

async function findPage(db: Db, { sort, limit, after, ...filters }: ActivityFilters & Order) {
  const window = { sort, limit, after }
  const { inSpan, byWhat, inOrder, unordered } = conditionsOf(filters)
  const [first] = inOrder
  const isWithout = (...others: unknown[]) => others.flat().every((each) => each === undefined)
  if (filters.sessionId !== undefined && unordered.length === 1 && isWithout(first, byWhat)) {
    const parts = partsOfSession(filters.sessionId).map((part) => and(part, inSpan))
    return mergedPage(db, list, window, parts)
  }
  const hasIndex = unordered.length === 0 && (!first || (inOrder.length === 1 && isWithout(byWhat)))
  if (hasIndex) return page(db, list, window, and(first, ...byWhat, inSpan))
  const indexed = [...inOrder, ...unordered, ...byWhat]
  return filteredPage(db, list, window, { where: and(first, inSpan), indexed })
}

/** The records of a request, oldest first: few, because a request changes little. */
export const findByRequest = (db: Db, requestId: string) =>
  db
    .select()
    .from(activity)
    .where(eq(activity.requestId, requestId))
    .orderBy(activity.at, activity.id)

/** The actions of a user and the actions on them. Other actors are not identified. */
export async function listOwnActivity(db: Db, { id: userId }: { id: string }, window: Order) {
  const { items, next } = await mergedPage(db, list, window, [
    eq(activity.actorId, userId),
    and(
      eq(activity.targetId, userId),
      eq(activity.targetType, 'user'),
      or(isNull(activity.actorId), ne(activity.actorId, userId))
    )
  ])
  const stranger = {
    actorId: null,
    actorLabel: null,
    ip: null,
    userAgent: null,
    requestId: null,
    sessionId: null
  }
  return {
    items: items
      .map(described)
      .map((item) =>
        item.actorId === userId || item.actorType === 'anonymous' ? item : { ...item, ...stranger }
      ),
    next
  }
}

export async function findActivity(db: Db, id: string) {
  const [found] = await db.select().from(activity).where(eq(activity.id, id))
  if (!found) throw new DomainError('activity-record-not-found')
  return described(found)
}

export interface ActivityFilters {
  action?: string | undefined
  outcome?: ActivityRow['outcome'] | undefined
  actorId?: string | undefined
  targetId?: string | undefined
  /** An address, or a network in CIDR notation. */
  ip?: string | undefined
  /** The records of what was done in a session, and to it. */
  sessionId?: string | undefined
  requestId?: string | undefined
  /** Inclusive. */
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
}

/**
 * The conditions of filters, by what their indexes are good for. Throws a refusal that names `ip`.
 */
function conditionsOf(filters: ActivityFilters) {
  const { action, outcome, actorId, targetId, sessionId, requestId, from, to } = filters
  const network = networkOf(filters.ip)
  const isRange = network?.includes('/')
  return {
    inSpan: and(from && gte(activity.at, from), to && lt(activity.at, to)),
    /** Each has an index in the order of time, and so have both together. */
    byWhat: [
      action === undefined ? undefined : eq(activity.action, action),
      outcome && eq(activity.outcome, outcome)
    ],
    /** Each has an index in the order of time. */
    inOrder: present(
      requestId === undefined ? undefined : eq(activity.requestId, requestId),
      targetId === undefined ? undefined : eq(activity.targetId, targetId),
      actorId === undefined ? undefined : eq(activity.actorId, actorId),
      network === undefined || isRange ? undefined : eq(activity.ip, network)
    ),
    /** Each has indexes, but in another order. */
    unordered: present(
      sessionId === undefined ? undefined : or(...partsOfSession(sessionId)),
      isRange ? sql`${activity.ip} <<= ${network}::inet` : undefined
    )
  }
}

/** All conditions, where no order matters. */
function matching(filters: ActivityFilters) {
  const { inSpan, byWhat, inOrder, unordered } = conditionsOf(filters)
  return and(inSpan, ...byWhat, ...inOrder, ...unordered)
}

const present = (...conditions: (SQL | undefined)[]) =>
  conditions.filter((each) => each !== undefined)

/**
 * Records of a session as source or target: parts without records in common, each with an index in
 * the order of time. The target of a record that a session was revoked is its user.
 */
function partsOfSession(id: string) {
  const elsewhere = sql`${activity.sessionId} is distinct from ${id}::uuid`
  const owner = sql`(select user_id::text from ${sessions} where id = ${id}::uuid)`
  return [
    eq(activity.sessionId, id),
    and(eq(activity.targetId, id), eq(activity.targetType, 'session'), elsewhere),
    and(
      sql`${activity.targetId} = ${owner}`,
      eq(activity.action, 'session.revoke'),
      sql`${activity.details}->>'sessionId' = ${id}`,
      elsewhere
    )
  ]
}

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
