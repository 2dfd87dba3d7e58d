import { isDeepStrictEqual } from 'node:util'
import { and, eq, getTableColumns, gt, isNotNull, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { actionNames } from '../../../db/schema/actions.ts'
import { deliveries, mostEndpoints, webhookEndpoints } from '../../../db/schema/webhooks.ts'
import type { EndpointRow, endpointSorts } from '../../../db/schema/webhooks.ts'
import { authorized } from '../access/authorize.ts'
import { record } from '../activity/record.ts'
import type { Actor, AuthorizedActor, job } from '../actor.ts'
import { checkAll, DomainError, invalidFields, requireItems, requireRevision } from '../errors.ts'
import type { Expected } from '../errors.ts'
import { page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { objectKeys } from '../permissions.ts'
import { isPending, makeDue, runBatches } from '../outbox/leases.ts'
import type { SystemPermission } from '../permissions.ts'
import { ownActions } from '../vocabulary.ts'
import { post } from './message.ts'
import type { WebhookContext } from './message.ts'
import { newSecret, sealSecret } from './signature.ts'

/** Beyond this, waiting deliveries are not counted. */
const mostCounted = 10_000

const { secret: sealed, formerSecret, formerUntil, ...columns } = getTableColumns(webhookEndpoints)
const shown = {
  ...columns,
  formerSecretUntil: sql<Date | null>`case when ${formerUntil} > now() then ${formerUntil} end`
    .mapWith(formerUntil)
    .as('former_secret_until'),
  waiting: sql<number>`(select count(*)::int from (
    select from deliveries where endpoint_id = webhook_endpoints.id and deliveries.state = 'pending'
    limit ${mostCounted}::int) as waiting)`.as('waiting')
}
const orders = { createdAt: [columns.createdAt, columns.id] }
const list = { table: webhookEndpoints, columns: shown, orders }

export const listEndpoints = (db: Db, window: Window<(typeof endpointSorts)[number]>) =>
  page(db, list, window)

/** Throws `webhook-not-found`. */
export async function findEndpoint(db: Db, id: string) {
  const [found] = await db.select(shown).from(webhookEndpoints).where(eq(columns.id, id))
  if (!found) throw new DomainError('webhook-not-found')
  return { ...found, revision: String(found.version) }
}

/** An endpoint, and the revisions that it may have. */
interface Which {
  id: string
  expected?: Expected
}

/**
 * Like authorized, with a lock on an endpoint, but not against new deliveries. Throws
 * `webhook-not-found`, `precondition-failed`, and `exceeds-own-permissions` for an actor who may
 * not read what is sent.
 */
export function authorizedOnEndpoint<T>(
  db: Db,
  actor: Actor,
  { id, expected, permission = 'webhooks:update' }: Which & { permission?: SystemPermission },
  work: (tx: Db, by: AuthorizedActor, found: EndpointRow) => Promise<T>
) {
  const isThis = eq(columns.id, id)
  const lock = (tx: Db) => tx.select().from(webhookEndpoints).where(isThis).for('no key update')
  return authorized(db, actor, permission, lock, async (tx, by, [found]) => {
    if (!found) throw new DomainError('webhook-not-found')
    requireRevision(String(found.version), expected)
    if (permission !== 'webhooks:delete') requireMayRead(by)
    return work(tx, by, found)
  })
}

/** An endpoint gets records and users, so it is for those who may read both. */
const requireMayRead = (by: AuthorizedActor) => by.requireAll(['activity:read', 'users:read'])

export const targetOf = (id: string) => ({ type: 'webhook', id }) as const

/** A URL may have secrets in its path or query. */
export const hostOf = ({ url }: { url: string | null }) =>
  url === null ? undefined : new URL(url).host

/**
 * Creates an endpoint, and returns it with its secret. Throws `too-many-webhooks`,
 * `exceeds-own-permissions`, and a refusal that names every invalid field.
 */
export async function createEndpoint(
  { db, sealing, sender }: WebhookContext,
  actor: Actor,
  input: { url: string; events: string[] }
) {
  const [url, events] = await checkAll(
    () => requireUrl(input.url, sender),
    () => requireEvents(input.events)
  )
  const id = uuid()
  const secret = newSecret()
  const endpoints = webhookEndpoints
  // One creation after the other, so that the limit holds.
  const lock = (tx: Db) => tx.select({ id: columns.id }).from(endpoints).for('no key update')
  const created = await authorized(db, actor, 'webhooks:create', lock, async (tx, by) => {
    requireMayRead(by)
    if ((await tx.$count(endpoints, isNotNull(columns.url))) >= mostEndpoints) {
      throw new DomainError('too-many-webhooks')
    }
    await tx.insert(endpoints).values({ id, url, events, secret: sealSecret(sealing, id, secret) })
    const details = { host: hostOf({ url }), events }
    await record(tx, by, 'webhook.create', { target: targetOf(id), details })
    return findEndpoint(tx, id)
  })
  return { ...created, secret }
}

async function requireUrl(text: string, { judge }: WebhookContext['sender']) {
  const refusal = await judge(text)
  if (refusal === undefined) return new URL(text).href
  throw invalidFields({ pointer: '/url', code: 'invalid-url', message: refusal })
}

/** Whether an endpoint with these patterns gets the records of an action. */
export const hears = (patterns: readonly string[], action: string) =>
  patterns.some(
    (each) =>
      each === '*' ||
      each === action ||
      (each.endsWith('.*') && action.startsWith(each.slice(0, -1)))
  )

function requireEvents(patterns: string[]) {
  const actions = [...actionNames, ...ownActions.keys()]
  requireItems(patterns, (each) => actions.some((action) => hears([each], action)), {
    pointer: '/events',
    code: 'not-allowed',
    message: 'Must be an action such as user.create, the beginning of some such as user.*, or *'
  })
  return [...new Set(patterns)]
}

export interface EndpointChanges {
  url?: string | undefined
  events?: string[] | undefined
  state?: EndpointRow['state'] | undefined
}

/**
 * Changes URL, events or state. What waits is due as soon as the endpoint is active again. Throws
 * `app-webhook` for the URL or the events of the functions of the app, and a refusal that names
 * every invalid field.
 */
export async function updateEndpoint(
  { db, sender }: WebhookContext,
  actor: Actor,
  { changes, ...which }: Which & { changes: EndpointChanges }
) {
  const { state } = changes
  const [url, events] = await checkAll(
    async () => (changes.url === undefined ? undefined : requireUrl(changes.url, sender)),
    () => changes.events && requireEvents(changes.events)
  )
  const wanted: EndpointChanges = { url, events, state }
  return authorizedOnEndpoint(db, actor, which, async (tx, by, found) => {
    const fields = objectKeys(wanted).filter(
      (column) => wanted[column] !== undefined && !isDeepStrictEqual(wanted[column], found[column])
    )
    if (fields.some((field) => field !== 'state')) requireUrlOf(found)
    const isResumed = fields.includes('state') && state === 'active'
    const values = { ...wanted, ...(isResumed && { failingSince: null }) }
    const { id } = found
    if (fields.length > 0) await write(tx, by, { id, url: url ?? found.url }, fields, values)
    if (isResumed) await makeDue(tx, deliveries, waitsFor(id))
    return findEndpoint(tx, found.id)
  })
}

function requireUrlOf(found: EndpointRow) {
  if (found.url === null) throw new DomainError('app-webhook')
  return found
}

/** Changes an endpoint and records which fields, also on behalf of a job. */
export async function write(
  tx: Db,
  by: AuthorizedActor | typeof job,
  endpoint: Pick<EndpointRow, 'id' | 'url'>,
  fields: string[],
  values: PgUpdateSetSource<typeof webhookEndpoints>
) {
  await tx
    .update(webhookEndpoints)
    .set({ ...values, version: sql`${columns.version} + 1` })
    .where(eq(columns.id, endpoint.id))
  const details = { host: hostOf(endpoint), fields }
  await record(tx, by, 'webhook.update', { target: targetOf(endpoint.id), details })
}

/** The deliveries that were tried. While an endpoint fails, these are few. */
const waitsFor = (id: string) =>
  and(eq(deliveries.endpointId, id), isPending(deliveries), gt(deliveries.nextAt, sql`now()`))

/**
 * Gives an endpoint another secret and returns it. The one before signs as well for a day. Throws
 * `app-webhook`.
 */
export const renewSecret = ({ db, sealing }: WebhookContext, actor: Actor, which: Which) =>
  authorizedOnEndpoint(db, actor, which, async (tx, by, found) => {
    requireUrlOf(found)
    const secret = newSecret()
    await write(tx, by, found, ['secret'], {
      secret: sealSecret(sealing, found.id, secret),
      formerSecret: found.secret,
      formerUntil: sql`now() + interval '24 hours'`
    })
    return { ...(await findEndpoint(tx, found.id)), secret }
  })

/**
 * Sends a message of the type `webhook.test` once and at once, and returns how that ended. It is no
 * event, and nothing is stored. Throws `webhook-not-found` and `app-webhook`.
 */
export async function testEndpoint(context: WebhookContext, actor: Actor, which: { id: string }) {
  const check = async (_tx: Db, _by: AuthorizedActor, found: EndpointRow) => requireUrlOf(found)
  const endpoint = await authorizedOnEndpoint(context.db, actor, which, check)
  const timestamp = new Date().toISOString()
  return post(context, endpoint, uuid(), { type: 'webhook.test', timestamp, data: {} })
}

/**
 * Deletes an endpoint with its deliveries. First it gets no more of them, because a change that
 * writes one waits for a deletion of its endpoint. A deletion that ends early can be repeated.
 */
export async function deleteEndpoint(db: Db, actor: Actor, which: Which) {
  const step = <T>(work: (tx: Db, by: AuthorizedActor, found: EndpointRow) => Promise<T>) =>
    authorizedOnEndpoint(db, actor, { ...which, permission: 'webhooks:delete' }, work)
  await runBatches((limit) =>
    step(async (tx) => {
      await tx.update(webhookEndpoints).set({ events: [] }).where(eq(columns.id, which.id))
      const { id, endpointId } = deliveries
      const some = tx.select({ id }).from(deliveries).where(eq(endpointId, which.id)).limit(limit)
      const ofBatch = and(sql`${id} = any(array(${some}))`, eq(endpointId, which.id))
      return (await tx.delete(deliveries).where(ofBatch).returning({ id })).length
    })
  )
  await step(async (tx, by, found) => {
    await tx.delete(webhookEndpoints).where(eq(columns.id, found.id))
    const details = { host: hostOf(found) }
    await record(tx, by, 'webhook.delete', { target: targetOf(found.id), details })
  })
}
