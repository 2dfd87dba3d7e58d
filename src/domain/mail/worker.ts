import { sql } from 'drizzle-orm'
import { outbox } from '../../../db/schema/outbox.ts'
import { noteSent, readConfirmations } from '../guard/confirmed-share.ts'
import { claim, isByStrangers } from '../outbox/claim.ts'
import type { Claimed, Mail } from '../outbox/claim.ts'
import { columnsOf, completeDelivery } from '../outbox/complete-delivery.ts'
import type { Outcome, Postponement } from '../outbox/complete-delivery.ts'
import { openPayload } from '../outbox/enqueue.ts'
import { after, releaseRows, spread } from '../outbox/leases.ts'
import { createWorker } from '../outbox/worker.ts'
import type { Working } from '../outbox/worker.ts'
import type { Sealing } from '../sealing.ts'
import type { Buckets } from '../throttling/buckets.ts'
import { charge, findFull } from '../throttling/throttles.ts'
import type { MailSettings } from './composer.ts'
import { renderMail } from './letters.ts'
import { prepareMail } from './preparation.ts'
import type { MailTransport } from './transport.ts'

export interface OutboxWorkerOptions extends Working {
  sealing: Sealing
  buckets: Buckets
  settings: MailSettings
  /** Undefined in development without a mail server: mails are kept, and not sent. */
  transport: Pick<MailTransport, 'send'> | undefined
  /** Milliseconds for one delivery. */
  deliveryLimit?: number
  /** Milliseconds between two deliveries while the mail server cannot be reached. */
  pause?: number
}

/** A row whose deliveries were abandoned this often is assumed to be what kills the workers. */
const mostAbandoned = 10

/** Delivers due rows of the outbox. */
export function createOutboxWorker({
  sealing,
  buckets,
  settings,
  transport,
  deliveryLimit = 55_000,
  pause = 30_000,
  ...working
}: OutboxWorkerOptions) {
  const { db, log } = working
  /** Number of deliveries by outcome, since the start. */
  const totals = { sent: 0, caught: 0, dropped: 0, dead: 0, retried: 0, unreachable: 0, limited: 0 }
  const backoff = createBackoff(pause)
  const own = Object.keys(settings.own ?? {})
  let oneAtATime = false

  async function claimRows({ length: running }: readonly Claimed[]) {
    const isIdle = running === 0
    const free = (oneAtATime && !isIdle ? 1 : backoff.deliveries()) - running
    if (free <= 0) return isIdle ? [] : 'busy'
    const strangers = backoff.strangers()
    const rows = await claim(db, free, { strangers, isIdle, own })
    oneAtATime = rows.some(({ abandoned }) => abandoned > 0)
    if (rows.length === 0 && strangers > 0) backoff.drained()
    return rows
  }

  async function settle(row: Claimed, delivery: Result) {
    if (delivery.outcome === 'unreachable' || delivery.outcome === 'limited') {
      await postpone(row, delivery)
      return undefined
    }
    if (delivery.outcome === 'sent') backoff.sent()
    const state = await completeDelivery(db, row, delivery)
    const { error, reply } = 'error' in delivery ? delivery : {}
    return { state, details: { kind: row.kind, error, reply } }
  }

  async function postpone(row: Claimed, delivery: Postponement) {
    totals[delivery.outcome] += 1
    const { id, kind } = row
    if (delivery.outcome === 'limited') {
      if (backoff.limited(delivery.seconds)) {
        log.warn({ kind }, 'too much mail by strangers, it waits')
      }
      // Keeps its place in the queue.
      await releaseRows(db, outbox, [row], {
        nextAt: sql`${outbox.createdAt}`,
        lastError: 'limited'
      })
      return
    }
    backoff.notReached()
    const { error, reply } = delivery
    log.warn({ id, kind, error, reply }, 'mail server not reached, mail waits')
    // Behind the others, so that the next try is another mail.
    await releaseRows(db, outbox, [row], { nextAt: after(pause / 1000), ...columnsOf(delivery) })
  }

  async function attempt(row: Claimed, signal: AbortSignal): Promise<Result> {
    if (row.expired) return { outcome: 'expired' }
    if (row.abandoned >= mostAbandoned) return { outcome: 'final', error: 'abandoned' }
    const payload = openPayload(sealing, row.id, row.payload)
    // Another instance may have the key.
    return payload ? deliver({ ...row, payload }, signal) : temporary('sealed')
  }

  /** Decides what to send, writes it out, and sends it. Ends soon after `signal` is aborted. */
  async function deliver(mail: Mail, signal: AbortSignal): Promise<Result> {
    const prepared = await prepareMail(db, sealing, mail)
    if (!prepared) return { outcome: 'dropped' }
    if (!transport) return { outcome: 'caught' }
    const { to, reader, content } = prepared
    if (isByStrangers(mail.kind)) {
      const { isLow } = await readConfirmations(db)
      const slow = isLow ? [buckets.ofAll('mail-unconfirmed')] : []
      const wanted = [buckets.ofAll('mail-total'), ...slow]
      if (!(await charge(db, wanted))) {
        const full = await findFull(db, wanted)
        return { outcome: 'limited', seconds: Math.max(0, ...full.map(({ seconds }) => seconds)) }
      }
      await noteSent(db, mail)
    }
    return transport.send({ id: mail.id, to, ...renderMail(content, to, reader, settings) }, signal)
  }

  const names = ['outbox', 'mail'] as const
  const worker = createWorker<Claimed, Result>(working, {
    ...{ queue: outbox, names, limit: deliveryLimit, totals },
    ...{ claim: claimRows, attempt, failed: temporary, settle }
  })
  return { ...worker, totals: totals as Readonly<typeof totals> }
}

type Result = Outcome | Postponement
const temporary = (error: string) => ({ outcome: 'temporary', error }) as const

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
