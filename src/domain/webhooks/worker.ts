import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../db/engine.ts'
import { spread } from '../outbox/complete-delivery.ts'
import { claim, findWork, settle } from './claim.ts'
import type { Claimed, Outcome } from './claim.ts'
import { bodyOf, post } from './delivery.ts'
import type { Delivering, EventBody } from './delivery.ts'

/** An event as a function of the app gets it. `id` is the same when it is repeated. */
export type AppEvent = EventBody & { id: string }

/** A function of the app that an event calls. When it rejects, it is called again later. */
export type EventFunction = (event: AppEvent, context: { db: Db }) => Promise<void>

interface WebhookWorkerOptions extends Delivering {
  /** The functions of the app by action. Undefined without an app that has some. */
  functions: Readonly<Record<string, EventFunction>> | undefined
  /** False while the instance should not take on work. */
  isReady: () => boolean
  log: Record<'info' | 'warn' | 'error', (details: object, message: string) => void>
  /** Milliseconds between two looks. */
  interval?: number
  /** Milliseconds between two looks while there is no endpoint. */
  idleInterval?: number
  /** Milliseconds for one function: less than the lease. */
  functionLimit?: number
  /** Milliseconds that `stop` waits for deliveries. */
  grace?: number
}

/** Deliveries at once by one instance. */
const atOnce = 20
/** An endpoint rests after a failure for a tenth of the time for which it has failed. */
const rest = { part: 0.1, most: 60 }

/** Sends events to endpoints and functions. Any number of instances can run a worker. */
export function createWebhookWorker({
  functions,
  isReady,
  log,
  interval = 1000,
  idleInterval = 60_000,
  functionLimit = 20_000,
  grace = 10_000,
  ...context
}: WebhookWorkerOptions) {
  const { db } = context
  /** Attempts by outcome, since the start. */
  const totals = { delivered: 0, retried: 0, dead: 0 }
  const running = new Map<Claimed, Promise<void>>()
  /** Until when endpoints rest, by id. */
  const resting = new Map<string, number>()
  const stopping = new AbortController()
  let loop: Promise<void> | undefined

  const pause = (ms: number) =>
    sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {}) // stopped

  async function look() {
    while (!stopping.signal.aborted) {
      const wait = await deliverDue().catch((error: unknown) => {
        log.warn({ err: error }, 'deliveries not read')
        return interval
      })
      await pause(spread(wait))
    }
  }

  /** Claims for as long as there is more, and returns the milliseconds until the next look. */
  async function deliverDue(): Promise<number> {
    while (!stopping.signal.aborted && isReady()) {
      const isDue = await findWork(db, functions !== undefined)
      if (isDue === undefined) return idleInterval
      const rows = isDue && running.size < atOnce ? await claim(db, room()) : []
      for (const row of rows) begin(row)
      if (rows.length > 0) continue
      if (!isDue || running.size === 0) break
      await Promise.race([...running.values(), pause(interval)])
    }
    return interval
  }

  function room() {
    const now = performance.now()
    for (const [id, until] of resting) if (until <= now) resting.delete(id)
    const underWay: Record<string, number> = {}
    for (const { endpointId } of running.keys()) {
      underWay[endpointId] = (underWay[endpointId] ?? 0) + 1
    }
    return {
      ...{ limit: atOnce - running.size, runsApp: functions !== undefined },
      ...{ resting: [...resting.keys()], underWay }
    }
  }

  function begin(row: Claimed) {
    const task = handle(row)
      // The lease runs out, and it is delivered again.
      .catch((error: unknown) => log.error({ err: error, id: row.id }, 'delivery not settled'))
      .finally(() => running.delete(row))
    running.set(row, task)
  }

  async function handle(row: Claimed) {
    const { id, endpointId, attempts } = row
    const outcome = await attempt(row)
    const { state, failing } = await settle(db, row, outcome)
    totals[state === 'pending' ? 'retried' : state] += 1
    resting.delete(endpointId)
    const details = { id, endpoint: endpointId, attempts, error: outcome.error }
    if (state === 'delivered') return log.info(details, 'event delivered')
    const seconds = Math.min(failing * rest.part, rest.most)
    resting.set(endpointId, performance.now() + seconds * 1000)
    if (state === 'pending') log.warn(details, 'event not delivered, will be tried again')
    else log.error(details, 'event not delivered, and not tried again')
  }

  async function attempt(row: Claimed): Promise<Outcome> {
    const body = await bodyOf(db, row)
    if (!body) return { error: 'record deleted', isUnsent: true, isFinal: true }
    return row.endpoint.url === null
      ? call(row.id, body)
      : post(context, row.endpoint, row.id, body)
  }

  async function call(id: string, body: EventBody): Promise<Outcome> {
    const called = functions?.[body.type]
    if (!called) return { error: 'no function', isUnsent: true } // another version has it
    const timer = new AbortController()
    const late = sleep(functionLimit, 'late', { signal: timer.signal, ref: false })
    late.catch(() => {}) // it was not needed
    try {
      const ended = await Promise.race([called({ ...body, id }, { db }), late])
      return ended === 'late' ? { error: 'timeout' } : {}
    } catch (error) {
      log.error({ err: error, id, action: body.type }, 'a function of the app failed')
      return { error: 'exception' }
    } finally {
      timer.abort()
    }
  }

  return {
    totals: totals as Readonly<typeof totals>,
    start() {
      loop ??= look()
    },
    /** Claims no more, and waits for the deliveries under way. The leases of others run out. */
    async stop() {
      stopping.abort()
      await loop
      const end = new AbortController()
      const over = sleep(grace, undefined, { signal: end.signal }).catch(() => {})
      await Promise.race([Promise.all(running.values()), over])
      end.abort()
    }
  }
}
