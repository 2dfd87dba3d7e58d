import { and, eq, getTableColumns, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { deliveries, webhookEndpoints } from '../../../db/schema/webhooks.ts'
import { transaction } from '../../../db/transaction.ts'
import { job } from '../actor.ts'
import { after, backlogOf, isPending, leaseRows, spread, writeLeased } from '../outbox/leases.ts'
import type { Leased } from '../outbox/leases.ts'
import type { Answer } from './delivery.ts'
import { write } from './endpoints.ts'

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

/** Seconds from a failed attempt to the next one: eight attempts in three days. */
const delays = [30, 300, 1800, 7200, 28_800, 72_000, 147_600]
/** Seconds for which all deliveries of an endpoint fail until it is paused. */
const patience = 86_400
/** The status of an endpoint that wants no more events (Standard Webhooks). */
const gone = 410

/** `isUnsent`: nothing was sent, so that it says nothing about the endpoint. */
export type Outcome = Answer & { isUnsent?: boolean; isFinal?: boolean }

/**
 * Stores how an attempt ended, and returns for how many seconds all deliveries of the endpoint have
 * failed. Throws LeaseLost, and changes nothing, when the lease has gone to another worker.
 */
export async function settle(
  db: Db,
  { id, lease, attempts, endpointId }: Leased & Pick<Claimed, 'attempts' | 'endpointId'>,
  { status, error, isUnsent = false, isFinal = false }: Outcome
) {
  const delay = isFinal || error === undefined ? undefined : delays[attempts - 1]
  const state = error === undefined ? 'delivered' : delay === undefined ? 'dead' : 'pending'
  return transaction(db, async (tx) => {
    // The endpoint first, in the order of those who change it.
    if (error === undefined) {
      await tx
        .update(webhookEndpoints)
        .set({ failingSince: null })
        .where(and(eq(webhookEndpoints.id, endpointId), isNotNull(webhookEndpoints.failingSince)))
    }
    const failing = error === undefined || isUnsent ? 0 : await noteFailure(tx, endpointId, status)
    await writeLeased(
      tx,
      deliveries,
      { id, lease },
      {
        ...{ state, lease: null, lastStatus: status ?? null, lastError: error ?? null },
        ...(delay === undefined ? { doneAt: sql`now()` } : { nextAt: after(spread(delay)) })
      }
    )
    return { state, failing }
  })
}

/** Pauses an endpoint that has failed for a day, or that is gone; not the functions of the app. */
async function noteFailure(tx: Db, id: string, status: number | undefined) {
  const { failingSince, state, url } = webhookEndpoints
  const [endpoint] = await tx
    .update(webhookEndpoints)
    .set({ failingSince: sql`coalesce(${failingSince}, now())` })
    .where(eq(webhookEndpoints.id, id))
    .returning({
      id: webhookEndpoints.id,
      state,
      url,
      seconds: sql<number>`extract(epoch from now() - ${failingSince})::float8`
    })
  if (!endpoint) return 0
  const { seconds } = endpoint
  const isOver = status === gone || seconds >= patience
  if (endpoint.state === 'active' && endpoint.url !== null && isOver) {
    await write(tx, job, endpoint, ['state'], { state: 'paused' })
  }
  return seconds
}

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
