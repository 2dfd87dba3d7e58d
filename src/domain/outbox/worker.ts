import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../db/engine.ts'
import { LeaseLost, releaseRows, spread } from './leases.ts'
import type { Leased, Queue } from './leases.ts'

/** The options that workers of all queues share. */
export interface Working {
  db: Db
  /** False while the instance should not take on work. */
  isReady: () => boolean
  log: Record<'info' | 'warn' | 'error', (details: object, message: string) => void>
  /** Milliseconds between two looks at an empty queue. */
  interval?: number
  /** Milliseconds between two looks while there may never be anything in it. */
  idleInterval?: number
  /** Milliseconds that `stop` waits for attempts. */
  grace?: number
}

interface Work<Row, Outcome> {
  queue: Queue
  /** Names the queue and one of its rows, for the log. */
  names: readonly [queue: string, row: string]
  /** Milliseconds for one attempt: less than the lease. It should end by itself before. */
  limit: number
  /** Number of attempts by outcome. */
  totals: Record<string, number>
  /** Claims rows. `busy`: none before an attempt has ended. `idle`: there may never be any. */
  claim: (running: readonly Row[]) => Promise<Row[] | 'busy' | 'idle'>
  attempt: (row: Row, signal: AbortSignal) => Promise<Outcome>
  /** The outcome of an attempt that threw, or took too long. */
  failed: (error: 'internal' | 'timeout') => Outcome
  /** Stores the outcome, and returns the new state; undefined if it was no attempt. */
  settle: (row: Row, outcome: Outcome) => Promise<{ state: string; details: object } | undefined>
}

/** Sends what is due in a queue. Any number of instances can run a worker. */
export function createWorker<Row extends Leased & { attempts: number }, Outcome extends object>(
  { db, isReady, log, interval = 1000, idleInterval = 60_000, grace = 10_000 }: Working,
  work: Work<Row, Outcome>
) {
  const { queue, names, totals } = work
  const running = new Map<Row, { controller: AbortController; ended: Promise<void> }>()
  const stopping = new AbortController()
  let loop: Promise<void> | undefined

  const pause = (ms: number) =>
    sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {}) // stopped
  let waiting: Promise<void> | undefined
  /** One at a time, because each listens to `stopping`. */
  const pauseOnce = () =>
    (waiting ??= pause(interval).finally(() => {
      waiting = undefined
    }))
  const endsOf = () => Array.from(running.values(), ({ ended }) => ended)

  async function look() {
    while (!stopping.signal.aborted) {
      const wait = await sendDue().catch((error: unknown) => {
        log.warn({ err: error }, `${names[0]} not read`)
        return interval
      })
      await pause(spread(wait))
    }
  }

  /** Claims for as long as there is more, and returns the milliseconds until the next look. */
  async function sendDue(): Promise<number> {
    while (!stopping.signal.aborted && isReady()) {
      const claimed = await work.claim([...running.keys()])
      if (claimed === 'idle') return idleInterval
      if (claimed === 'busy') {
        await Promise.race([...endsOf(), pauseOnce()])
        continue
      }
      if (claimed.length === 0) break
      if (stopping.signal.aborted) await releaseRows(db, queue, claimed)
      else for (const row of claimed) begin(row)
    }
    return interval
  }

  function begin(row: Row) {
    const controller = new AbortController()
    const ended = handle(row, controller)
      // The lease runs out, and the row is sent again.
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) log.warn({ id: row.id }, 'lease lost before the end')
        else log.error({ err: error, id: row.id }, 'outcome not stored')
      })
      .finally(() => running.delete(row))
    running.set(row, { controller, ended })
  }

  async function handle(row: Row, controller: AbortController) {
    const { id, attempts } = row
    const timer = setTimeout(() => controller.abort(), work.limit)
    const aborted = once(controller.signal, 'abort').then(() => undefined)
    const attempt = work.attempt(row, controller.signal).catch((error: unknown) => {
      log.error({ err: error, id }, 'attempt failed')
      return work.failed('internal')
    })
    const outcome = await Promise.race([aborted, attempt])
    clearTimeout(timer)
    // Cut short by `stop`, not by a fault of the row.
    if (!outcome && stopping.signal.aborted) return releaseRows(db, queue, [row])
    const settled = await work.settle(row, outcome ?? work.failed('timeout'))
    if (!settled) return
    const { state } = settled
    const total = state === 'pending' ? 'retried' : state
    totals[total] = (totals[total] ?? 0) + 1
    const details = { id, attempts, ...settled.details }
    const what = names[1]
    if (state === 'pending') log.warn(details, `${what} not delivered, will be tried again`)
    else if (state === 'dead') log.error(details, `${what} not delivered, and not tried again`)
    else log.info(details, `${what} ${state === 'dropped' ? 'dropped' : 'delivered'}`)
  }

  return {
    start() {
      loop ??= look()
    },
    /** Claims no more, waits for running attempts, and gives the leases of the others back. */
    async stop() {
      stopping.abort()
      const timer = setTimeout(() => {
        for (const { controller } of running.values()) controller.abort()
      }, grace)
      await loop
      await Promise.all(endsOf())
      clearTimeout(timer)
    }
  }
}
