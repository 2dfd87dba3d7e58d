import { and, eq, getTableColumns, isNull, ne, or } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import type { activitySorts } from '../../../db/schema/activity.ts'
import { activityNotFound } from '../errors.ts'
import { filteredPage, mergedPage, page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { conditionsOf, partsOfSession } from './filters.ts'
import type { ActivityFilters as Filters } from './filters.ts'

type Order = Window<(typeof activitySorts)[number]>

const orders = { at: [activity.at, activity.id] }
const list = { table: activity, columns: getTableColumns(activity), orders }

export async function listActivity(db: Db, { sort, limit, after, ...filters }: Filters & Order) {
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
    items: items.map((item) =>
      item.actorId === userId || item.actorType === 'anonymous' ? item : { ...item, ...stranger }
    ),
    next
  }
}

export async function findActivity(db: Db, id: string) {
  const [found] = await db.select().from(activity).where(eq(activity.id, id))
  if (!found) throw activityNotFound()
  return found
}
