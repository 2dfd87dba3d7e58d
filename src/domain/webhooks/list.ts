import { and, eq, getTableColumns, gte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { deliveries, webhookEndpoints } from '../../../db/schema/webhooks.ts'
import type { DeliveryRow, deliverySorts } from '../../../db/schema/webhooks.ts'
import { isPermitted, requirePermission } from '../access/authorize.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { filteredPage } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { runBatches, makeDue } from '../outbox/leases.ts'
import { bodyOf } from './message.ts'
import { authorizedOnEndpoint, findEndpoint, hears, hostOf, targetOf } from './endpoints.ts'

const { lease, ...columns } = getTableColumns(deliveries)
const shown = {
  ...columns,
  /** Null when the record was deleted. */
  event: sql<string | null>`(select action from activity
    where activity.at = deliveries.event_at and activity.id = deliveries.event_id)`.as('event')
}
const { endpointId, state } = deliveries
const orders = { createdAt: [endpointId, deliveries.createdAt, deliveries.id] }
const list = { table: deliveries, columns: shown, orders }

interface DeliveryFilters {
  id: string
  state?: DeliveryRow['state'] | undefined
}

/** Throws `webhook-not-found`. */
export async function listDeliveries(
  db: Db,
  { id, state: wanted, ...window }: DeliveryFilters & Window<(typeof deliverySorts)[number]>
) {
  await findEndpoint(db, id)
  return filteredPage(db, list, window, {
    where: eq(endpointId, id),
    filter: wanted && eq(state, wanted)
  })
}

interface Which {
  id: string
  delivery: string
}

const isThis = ({ id, delivery }: Which) => and(eq(endpointId, id), eq(deliveries.id, delivery))

/**
 * A delivery with the body that it has now, which it lacks if its record was deleted. Throws
 * `delivery-not-found`, and `permission-denied` for an actor who may not read records. Those who
 * may not read users get the body without the user.
 */
export async function findDelivery(db: Db, actor: Actor, which: Which) {
  await requirePermission(db, actor, 'activity:read')
  const [found] = await db.select(shown).from(deliveries).where(isThis(which))
  if (!found) throw new DomainError('delivery-not-found')
  const body = await bodyOf(db, found)
  if (body && !(await isPermitted(db, actor, 'users:read'))) delete body.data.user
  return { ...found, ...(body && { body }) }
}

// For operators, once they have fixed the cause.

/**
 * Makes one delivery due at once, also one that was successful, or all that were given up since a
 * time. Returns their number. Has no effect on what is under way. Throws `webhook-not-found` and
 * `delivery-not-found`.
 */
export function resend(
  db: Db,
  actor: Actor,
  { id, delivery, since }: { id: string; delivery?: string | undefined; since?: Date | undefined }
): Promise<number> {
  const isWanted =
    delivery === undefined
      ? and(eq(endpointId, id), eq(state, 'dead'), since && gte(deliveries.createdAt, since))
      : isThis({ id, delivery })
  return runBatches(() =>
    authorizedOnEndpoint(db, actor, { id }, async (tx, by, found) => {
      if (delivery !== undefined && (await tx.$count(deliveries, isWanted)) === 0) {
        throw new DomainError('delivery-not-found')
      }
      const expiresAt = sql`now() + interval '4 days'`
      const count = await makeDue(tx, deliveries, isWanted, { expiresAt })
      if (count > 0) {
        const details = { host: hostOf(found), count }
        await record(tx, by, 'webhook.resend', { target: targetOf(id), details })
      }
      return count
    })
  )
}

/** For `portal doctor`: the endpoints, and whether any gets deletions of users. */
export async function examineEndpoints(db: Db) {
  const { id, url, events, state, failingSince } = webhookEndpoints
  const isFailing = sql<boolean>`coalesce(${failingSince} < now() - interval '1 hour', false)`
  const endpoints = await db
    .select({ id, url, events, state, failingSince, isFailing })
    .from(webhookEndpoints)
    .orderBy(id)
  return { endpoints, hearsDeletions: endpoints.some((each) => hears(each.events, 'user.delete')) }
}
