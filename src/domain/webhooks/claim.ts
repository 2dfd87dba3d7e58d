import { and, eq, getTableColumns, inArray, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { deliveries, webhookEndpoints } from '../../../db/schema/webhooks.ts'
import { transaction } from '../../../db/transaction.ts'
import { backlogOf, isPending, leaseRows } from '../outbox/leases.ts'

const leaseSeconds = 30
/** Deliveries at once to one endpoint, by one instance. */
const perEndpoint = 4

// Literals, because a prepared statement with parameters could not use the partial index. Stored
// times are rounded to the millisecond.
const isDue = sql`deliveries.endpoint_id = webhook_endpoints.id and deliveries.state = 'pending'
  and deliveries.next_at <= now() + interval '1 millisecond'`

/** Endpoints that this instance delivers to: the functions of an app run where the app does. */
const isServed = (runsApp: boolean) =>
  sql`webhook_endpoints.state = 'active' and (url is not null or ${runsApp}::boolean)`

/** Whether a delivery is due, in one statement. Undefined without an endpoint. */
export async function findWork(db: Db, runsApp: boolean): Promise<boolean | undefined> {
  const isAnyDue = sql<boolean | null>`bool_or(exists (select from deliveries where ${isDue}))`
  const [found] = await db.select({ isAnyDue }).from(webhookEndpoints).where(isServed(runsApp))
  return found?.isAnyDue ?? undefined
}

interface Room {
  /** How many to claim at most. */
  limit: number
  runsApp: boolean
  /** Endpoints that failed a moment ago. */
  resting: string[]
  /** How many deliveries of this instance are under way, by endpoint. */
  underWay: Readonly<Record<string, number>>
}

/**
 * Leases due deliveries: the first of each endpoint before the second of any, so that none stands
 * before another. An endpoint that fails gets one at a time.
 */
export async function claim(db: Db, { limit, runsApp, resting, underWay }: Room) {
  const isUnderWay = sql`exists (select from deliveries as other
    where other.endpoint_id = webhook_endpoints.id and other.state = 'pending'
      and other.lease is not null and other.next_at > now())`
  const counts = sql`${JSON.stringify(underWay)}::jsonb`
  const room = sql`case when failing_since is not null then (not ${isUnderWay})::int
    else ${perEndpoint}::int - coalesce((${counts} ->> webhook_endpoints.id::text)::int, 0) end`
  const chosen = sql`select due_id from (
      select due.id as due_id, next_at, ${room} as room,
        row_number() over (partition by webhook_endpoints.id order by next_at) as place
      from webhook_endpoints, lateral (
        select deliveries.id, deliveries.next_at from deliveries where ${isDue}
        order by deliveries.next_at limit ${perEndpoint} for update skip locked) as due
      where ${isServed(runsApp)} and webhook_endpoints.id <> all (${`{${resting.join()}}`}::uuid[])
    ) as placed where place <= room order by place, next_at limit ${limit}`
  const claimed = await transaction(db, (tx) =>
    leaseRows(tx, deliveries, {
      which: sql`${deliveries.id} = any(array(${chosen}))`,
      seconds: leaseSeconds,
      returning: getTableColumns(deliveries)
    })
  )
  if (claimed.length === 0) return []
  const ids = claimed.map(({ endpointId }) => endpointId)
  const endpoints = await db
    .select()
    .from(webhookEndpoints)
    .where(inArray(webhookEndpoints.id, ids))
  return claimed.flatMap((delivery) => {
    const endpoint = endpoints.find(({ id }) => id === delivery.endpointId)
    return endpoint ? [{ ...delivery, endpoint }] : [] // deleted meanwhile
  })
}

/** A delivery that its worker may do and settle, as long as it has the lease. */
export type Claimed = Awaited<ReturnType<typeof claim>>[number]

/** Gives up at most `limit` deliveries whose time is over, and returns how many. */
export async function expire(db: Db, limit: number) {
  const { id, expiresAt } = deliveries
  const isOver = and(isPending(deliveries), lte(expiresAt, sql`now()`))
  const some = db.select({ id }).from(deliveries).where(isOver).limit(limit)
  const expired = await transaction(db, (tx) =>
    tx
      .update(deliveries)
      .set({ state: 'dead', lease: null, lastError: 'expired', doneAt: sql`now()` })
      .where(and(sql`${id} = any(array(${some}))`, isOver))
      .returning({ id })
  )
  return expired.length
}

/**
 * Counts the deliveries that wait for endpoints that are not paused, and the endpoints that fail or
 * were paused for that.
 */
export async function readBacklog(db: Db) {
  const [backlog] = await db
    .select({
      ...backlogOf(deliveries),
      failing: sql<number>`(
        select count(*)::int from webhook_endpoints where failing_since is not null)`
    })
    .from(deliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, deliveries.endpointId))
    .where(and(isPending(deliveries), eq(webhookEndpoints.state, 'active')))
  return backlog ?? { pending: 0, oldestSeconds: 0, failing: 0 }
}
