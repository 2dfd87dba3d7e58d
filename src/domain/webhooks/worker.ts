import type { Db } from '../../../db/engine.ts'
import { deliveries } from '../../../db/schema/webhooks.ts'
import { createWorker } from '../outbox/worker.ts'
import type { Working } from '../outbox/worker.ts'
import { claim, findWork } from './claim.ts'
import type { Claimed } from './claim.ts'
import { completeDelivery } from './complete-delivery.ts'
import type { Outcome } from './complete-delivery.ts'
import { bodyOf, post } from './message.ts'
import type { WebhookContext, EventBody } from './message.ts'

/** An event as a function of the app gets it. `id` is the same when it is repeated. */
export type AppEvent = EventBody & { id: string }

/** A function of the app that an event calls. When it rejects, it is called again later. */
export type EventFunction = (event: AppEvent, context: { db: Db }) => Promise<void>

interface WebhookWorkerOptions extends WebhookContext, Working {
  /** The functions of the app by action. Undefined without an app that has some. */
  functions: Readonly<Record<string, EventFunction>> | undefined
  /** Milliseconds for one function. Requests end before. */
  functionLimit?: number
}

/** Deliveries at once by one instance. */
const atOnce = 20
/** An endpoint rests after a failure for a tenth of the time for which it has failed. */
const rest = { part: 0.1, most: 60 }

/** Sends events to endpoints and functions. */
export function createWebhookWorker({
  functions,
  functionLimit = 20_000,
  ...options
}: WebhookWorkerOptions) {
  const { db, log } = options
  const runsApp = functions !== undefined
  /** Attempts by outcome, since the start. */
  const totals = { delivered: 0, retried: 0, dead: 0 }
  /** Until when endpoints rest, by id. */
  const resting = new Map<string, number>()

  async function claimRows(running: readonly Claimed[]) {
    const isDue = await findWork(db, runsApp)
    if (isDue === undefined) return 'idle'
    if (!isDue) return []
    const now = performance.now()
    for (const [id, until] of resting) if (until <= now) resting.delete(id)
    const underWay: Record<string, number> = {}
    for (const { endpointId } of running) underWay[endpointId] = (underWay[endpointId] ?? 0) + 1
    const limit = atOnce - running.length
    const rows =
      limit > 0 ? await claim(db, { limit, runsApp, resting: [...resting.keys()], underWay }) : []
    return rows.length > 0 || running.length === 0 ? rows : 'busy'
  }

  async function attempt({ id, endpoint, ...row }: Claimed): Promise<Outcome> {
    const body = await bodyOf(db, row)
    if (!body) return { error: 'record deleted', isUnsent: true, isFinal: true }
    return endpoint.url === null ? call(id, body) : post(options, endpoint, id, body)
  }

  async function call(id: string, body: EventBody): Promise<Outcome> {
    const called = functions?.[body.type]
    if (!called) return { error: 'no function', isUnsent: true } // another version has it
    try {
      await called({ ...body, id }, { db })
      return {}
    } catch (error) {
      log.error({ err: error, id, action: body.type }, 'a function of the app failed')
      return { error: 'exception' }
    }
  }

  const worker = createWorker<Claimed, Outcome>(options, {
    ...{ queue: deliveries, names: ['deliveries', 'event'], limit: functionLimit, totals },
    ...{ claim: claimRows, attempt },
    failed: (error) => ({ error, isUnsent: error === 'internal' }),
    async settle(row, outcome) {
      const { endpointId } = row
      const { state, failing } = await completeDelivery(db, row, outcome)
      resting.delete(endpointId)
      if (state !== 'delivered') {
        const seconds = Math.min(failing * rest.part, rest.most)
        resting.set(endpointId, performance.now() + seconds * 1000)
      }
      return { state, details: { endpoint: endpointId, error: outcome.error } }
    }
  })
  return { ...worker, totals: totals as Readonly<typeof totals> }
}
