import { and, eq, isNull, ne, or } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import type { activitySorts } from '../../../db/schema/activity.ts'
import { activityNotFound } from '../errors.ts'
import { filteredPage, page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { conditionsOf, partsOfSession } from './filters.ts'
import type { ActivityFilters as Filters } from './filters.ts'
import type { SignedInActor } from '../actor.ts'

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
  sessionId: activity.sessionId,
  source: activity.source,
  details: activity.details
}

const orders = { at: [activity.at, activity.id] }

export async function listActivity(db: Db, { sort, limit, after, ...filters }: Filters & Order) {
  const window = { sort, limit, after }
  const { inSpan, byWhat, inOrder, unordered } = conditionsOf(filters)
  const [first] = inOrder
  const isWithout = (...others: unknown[]) => others.flat().every((each) => each === undefined)
  if (filters.sessionId !== undefined && unordered.length === 1 && isWithout(first, byWhat)) {
    const parts = partsOfSession(filters.sessionId)
    return merged(
      db,
      window,
      parts.map((part) => and(part, inSpan))
    )
  }
  const hasIndex = unordered.length === 0 && (!first || (inOrder.length === 1 && isWithout(byWhat)))
  if (hasIndex) {
    return page(window, orders, ({ position, after, orderBy, limit }) =>
      db
        .select({ ...columns, position })
        .from(activity)
        .where(and(first, ...byWhat, inSpan, after))
        .orderBy(...orderBy)
        .limit(limit)
    )
  }
  return filteredPage(
    db,
    window,
    orders,
    {
      table: activity,
      where: and(first, inSpan),
      indexed: [...inOrder, ...unordered, ...byWhat]
    },
    (matches, { position, orderBy, limit }) =>
      db
        .select({ ...columns, position })
        .from(matches)
        .orderBy(...orderBy)
        .limit(limit)
  )
}

/** The records of a request, oldest first: few, because a request changes little. */
export const findByRequest = (db: Db, requestId: string) =>
  db
    .select(columns)
    .from(activity)
    .where(eq(activity.requestId, requestId))
    .orderBy(activity.at, activity.id)

/** Merges scans of several indexes, each of which ends after one page. */
const merged = (db: Db, window: Order, which: (SQL | undefined)[]) =>
  page(window, orders, ({ position, after, orderBy, limit }) => {
    const parts = which.map((each) =>
      db
        .select({ ...columns, position: position.as('position') })
        .from(activity)
        .where(and(each, after))
        .orderBy(...orderBy)
        .limit(limit)
    )
    const [first, second, ...others] = parts
    if (!first || !second) throw new Error('there is nothing to merge')
    return unionAll(first, second, ...others)
      .orderBy(...orderBy)
      .limit(limit)
  })

/** The actions of a user and the actions on them. Other actors are not identified. */
export async function listOwnActivity(db: Db, { id: userId }: SignedInActor, window: Order) {
  const { items, next } = await merged(db, window, [
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
