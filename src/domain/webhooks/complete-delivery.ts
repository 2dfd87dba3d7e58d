import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { deliveries, webhookEndpoints } from '../../../db/schema/webhooks.ts'
import { transaction } from '../../../db/transaction.ts'
import { job } from '../actor.ts'
import { after, spread, writeLeased } from '../outbox/leases.ts'
import type { Leased } from '../outbox/leases.ts'
import type { Claimed } from './claim.ts'
import { write } from './endpoints.ts'
import type { Answer } from './message.ts'

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
export async function completeDelivery(
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
