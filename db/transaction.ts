import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from './engine.ts'
import { isRetryable } from './errors.ts'

const attempts = 12
/** Milliseconds after the first attempt, after which no other one begins. */
const retryFor = 5000
/** Milliseconds: the longest pause doubles with each failure, up to a limit. */
const pause = { shortest: 1, first: 5, longest: 200 }

const checks = new WeakMap<Db, () => void>()

/** Calls `check` right before the COMMIT of this transaction, which is rolled back if it throws. */
export const beforeCommit = (tx: Db, check: () => void) => {
  checks.set(tx, check)
}

/**
 * Runs `work` in a transaction, and again after a failure that left nothing written: a
 * serialization failure, a deadlock, or a stale prepared statement. `work` must have no effect
 * outside of the transaction.
 *
 * Every change runs in one, even a single statement: a COMMIT that is late is not cancelled, but a
 * statement is, and then it would be seen before the synchronous standby has it.
 */
export async function transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const end = performance.now() + withSlack(retryFor)
  for (let failures = 1; ; failures++) {
    try {
      return await db.transaction(async (tx) => {
        const result = await work(tx)
        checks.get(tx)?.()
        return result
      })
    } catch (error) {
      if (failures === attempts || !isRetryable(error)) throw error
      const ms = randomPause(failures)
      if (performance.now() + ms > end) throw error
      await sleep(ms)
    }
  }
}

/**
 * Sends the first statements of several functions in one flight, in this order, in which PostgreSQL
 * also runs them. No function may need what another one reads, or refuse because of an error of its
 * statement: those after it fail as well.
 */
export const together = <T extends readonly (() => unknown)[]>(...works: T) =>
  Promise.all(works.map(async (work) => work())) as Promise<{
    -readonly [K in keyof T]: Awaited<ReturnType<T[K]>>
  }>

/** Random, so that two transactions that made each other fail do not collide again. */
function randomPause(failures: number) {
  const longest = Math.min(pause.longest, pause.first * 2 ** failures)
  // eslint-disable-next-line no-restricted-syntax -- spreads retries, and guards nothing
  return pause.shortest + Math.random() * (longest - pause.shortest)
}

/**
 * How many times longer each limit of time is. Tests raise it, except those about a limit: what a
 * busy machine does late is not a fault.
 */
export const slack = { factor: 1 }

/** Milliseconds of a limit. */
export const withSlack = (ms: number) => ms * slack.factor
