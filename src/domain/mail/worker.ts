import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { ofSeconds } from '../../../db/time.ts'
import { asksToConfirm, noteSent, readConfirmations } from '../guard/confirmed-share.ts'
import type { Sealing } from '../sealing.ts'
import { claim, isByStrangers, release } from '../outbox/claim.ts'
import type { Claimed, Mail } from '../outbox/claim.ts'
import { openPayload } from '../outbox/enqueue.ts'
import type { Buckets } from '../throttling/buckets.ts'
import { charge, findFull } from '../throttling/throttles.ts'
import type { MailSettings } from './composer.ts'
import { renderMail } from './letters.ts'
import { prepareMail } from './preparation.ts'
import type { MailTransport } from './transport.ts'
import { columnsOf, completeDelivery, spread } from '../outbox/complete-delivery.ts'
import type { Outcome, Postponement } from '../outbox/complete-delivery.ts'

export interface OutboxWorkerOptions {
  db: Db
  sealing: Sealing
  buckets: Buckets
  settings: MailSettings
  /** Undefined in development without a mail server: mails are kept, and not sent. */
  transport: Pick<MailTransport, 'send'> | undefined
  /** False while the instance should not take on work. */
  isReady: () => boolean
  log: Record<'info' | 'warn' | 'error', (details: object, message: string) => void>
  /** Milliseconds between two reads of an empty outbox. */
  interval?: number
  /** Milliseconds for one delivery: less than the lease. Delivering should end by itself before. */
  deliveryLimit?: number
  /** Milliseconds that `stop` waits for deliveries. */
  grace?: number
  /** Milliseconds between two deliveries while the mail server cannot be reached. */
  pause?: number
}

/** A row whose deliveries were abandoned this often is assumed to be what kills the workers. */
const mostAbandoned = 10

/** Delivers due rows of the outbox. Any number of instances can run a worker. */
export function createOutboxWorker({
  db,
  sealing,
  buckets,
  settings,
  transport,
  isReady,
  log,
  interval = 1000,
  deliveryLimit = 55_000,
  grace = 10_000,
  pause = 30_000
}: OutboxWorkerOptions) {
  /** Number of deliveries by outcome, since the start. */
  const totals = { sent: 0, caught: 0, dropped: 0, dead: 0, retried: 0, unreachable: 0, limited: 0 }
  const backoff = createBackoff(pause)
  const own = Object.keys(settings.own ?? {})
  const running = new Map<AbortController, Promise<void>>()
  const stopping = new AbortController()
  let loop: Promise<void> | undefined

  async function look() {
    while (!stopping.signal.aborted) {
      await deliverDue().catch((error: unknown) => log.warn({ err: error }, 'outbox not read'))
      await sleep(spread(interval), undefined, { signal: stopping.signal, ref: false }).catch(
        () => {} // stopped
      )
    }
  }

  /** Claims for as long as there is more. */
  async function deliverDue() {
    let oneAtATime = false
    while (!stopping.signal.aborted && isReady()) {
      const isIdle = running.size === 0
      const free = (oneAtATime && !isIdle ? 1 : backoff.deliveries()) - running.size
      if (free <= 0) {
        if (isIdle) return
        await Promise.race(running.values())
        continue // it may have ended because the worker stops
      }
      const strangers = backoff.strangers()
      const rows = await claim(db, free, { strangers, isIdle, own })
      if (stopping.signal.aborted) return release(db, rows)
      for (const row of rows) begin(row)
      oneAtATime = rows.some(({ abandoned }) => abandoned > 0)
      if (rows.length > 0) continue
      if (strangers > 0) backoff.drained()
      return
    }
  }

  function begin(row: Claimed) {
    const controller = new AbortController()
    const task = handle(row, controller)
      // The lease runs out, and the row is delivered again.
      .catch((error: unknown) => log.error({ err: error, id: row.id }, 'delivery not marked'))
      .finally(() => running.delete(controller))
    running.set(controller, task)
  }

  async function handle(row: Claimed, controller: AbortController) {
    const timer = setTimeout(() => controller.abort(), deliveryLimit)
    const delivery = await deliverRow(row, controller.signal).finally(() => clearTimeout(timer))
    const isPostponed = delivery.outcome === 'unreachable' || delivery.outcome === 'limited'
    // Aborted by `stop`, not by a fault of the row.
    const isCutShort = stopping.signal.aborted && controller.signal.aborted
    if (isCutShort && (isPostponed || delivery.outcome === 'temporary')) return release(db, [row])
    if (isPostponed) return postpone(row, delivery)
    if (delivery.outcome === 'sent') backoff.sent()
    const state = await completeDelivery(db, row, delivery)
    if (state === undefined) return log.warn({ id: row.id }, 'lease lost before the delivery ended')
    totals[state === 'pending' ? 'retried' : state] += 1
    const { id, kind, attempts } = row
    const { error, reply } = 'error' in delivery ? delivery : {}
    const details = { id, kind, attempts, error, reply }
    if (state === 'pending') log.warn(details, 'mail not delivered, will be tried again')
    else if (state === 'dead') log.error(details, 'mail not delivered, and not tried again')
    else log.info(details, state === 'dropped' ? 'mail dropped' : 'mail delivered')
  }

  async function postpone(row: Claimed, delivery: Postponement) {
    totals[delivery.outcome] += 1
    const { id, kind } = row
    if (delivery.outcome === 'limited') {
      if (backoff.limited(delivery.seconds)) {
        log.warn({ kind }, 'too much mail by strangers, it waits')
      }
      // Keeps its place in the queue.
      return release(db, [row], { nextAt: sql`${outbox.createdAt}`, lastError: 'limited' })
    }
    backoff.notReached()
    const { error, reply } = delivery
    log.warn({ id, kind, error, reply }, 'mail server not reached, mail waits')
    // Behind the others, so that the next try is another mail.
    const nextAt = sql`now() + ${ofSeconds(pause / 1000)}`
    return release(db, [row], { nextAt, ...columnsOf(delivery) })
  }

  async function deliverRow(
    row: Claimed,
    signal: AbortSignal
  ): Promise<Outcome | Postponement | typeof expired> {
    if (row.expired) return expired
    if (row.abandoned >= mostAbandoned) return final('abandoned')
    const payload = openPayload(sealing, row.id, row.payload)
    // Another instance may have the key.
    if (!payload) return temporary('sealed')
    try {
      return await Promise.race([deliver({ ...row, payload }, signal), whenAborted(signal)])
    } catch (error) {
      log.error({ err: error, id: row.id, kind: row.kind }, 'delivery failed')
      return temporary('internal')
    }
  }

  /** Decides what to send, writes it out, and sends it. Ends soon after `signal` is aborted. */
  async function deliver(mail: Mail, signal: AbortSignal): Promise<Outcome | Postponement> {
    const prepared = await prepareMail(db, sealing, mail)
    if (!prepared) return { outcome: 'dropped' }
    if (!transport) return { outcome: 'caught' }
    const { to, reader, content } = prepared
    if (isByStrangers(mail.kind)) {
      const { isLow } = await readConfirmations(db)
      const wanted = [buckets.mailByStrangers(), ...(isLow ? [buckets.unconfirmed()] : [])]
      if (!(await charge(db, wanted))) {
        const full = await findFull(db, wanted)
        return { outcome: 'limited', seconds: Math.max(0, ...full.map(({ seconds }) => seconds)) }
      }
      if (asksToConfirm(mail.kind)) await noteSent(db, mail.id)
    }
    return transport.send({ id: mail.id, to, ...renderMail(content, to, reader, settings) }, signal)
  }

  return {
    totals: totals as Readonly<typeof totals>,
    start() {
      loop ??= look()
    },
    /**
     * Claims no more, waits for the deliveries under way, and gives the leases of the others back.
     */
    async stop() {
      stopping.abort()
      const timer = setTimeout(() => {
        for (const controller of running.keys()) controller.abort()
      }, grace)
      await loop
      await Promise.all(running.values())
      clearTimeout(timer)
    }
  }
}

const expired = { outcome: 'expired' } as const
const final = (error: string) => ({ outcome: 'final', error }) as const
const temporary = (error: string) => ({ outcome: 'temporary', error }) as const

const whenAborted = (signal: AbortSignal) =>
  new Promise<Outcome>((resolve) => {
    signal.addEventListener('abort', () => resolve(temporary('timeout')), { once: true })
  })

const atOnce = 10
/** The longest wait in milliseconds before the limit is asked again. */
const longestWait = 60_000

/**
 * Decides how many rows an instance delivers at a time, from the last results of the mail server
 * and of the limit for mail that strangers cause.
 * @param pause milliseconds between two deliveries while the mail server cannot be reached
 */
function createBackoff(pause: number) {
  let reached = true
  let nextTry = 0
  let overLimit = false
  let strangersFrom = 0
  return {
    /** While the mail server cannot be reached, one mail is tried. The others stay due. */
    deliveries: () => (reached ? atOnce : performance.now() < nextTry ? 0 : 1),
    /** Over the limit one at a time, so that few rows are claimed only to wait. */
    strangers: () => (performance.now() < strangersFrom ? 0 : overLimit ? 1 : atOnce),
    sent() {
      reached = true
    },
    notReached() {
      reached = false
      nextTry = performance.now() + spread(pause)
    },
    /** Returns whether that is new. */
    limited(seconds: number): boolean {
      const isNew = !overLimit
      overLimit = true
      strangersFrom = performance.now() + Math.min(seconds * 1000, longestWait)
      return isNew
    },
    /** No mail of strangers waits. */
    drained() {
      overLimit = false
    }
  }
}
