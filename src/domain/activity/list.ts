import { and, eq, gte, isNull, lt, ne, or } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import type { ActivityRow, activitySorts } from '../../../db/schema/activity.ts'
import { activityNotFound } from '../errors.ts'
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
          eq(activity.targetType, 'user'),
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

export const between = (from: Date | undefined, to: Date | undefined) =>
  and(from && gte(activity.at, from), to && lt(activity.at, to))
