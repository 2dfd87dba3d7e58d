import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, OnWait } from './engine.ts'
import { databaseCode, isRetryable } from './errors.ts'

/**
 * Milliseconds that a statement waits for its lock. Every request that uses the table queues behind
 * it, and session checks have a second.
 */
const lockTimeout = 300
/** Milliseconds until the next attempt, in which these requests run. */
const lockPause = 1000

/**
 * Runs `work` in a transaction that changes the schema, again and again until it gets its locks.
 * Requests run in between.
 */
export async function withRetries(db: Db, work: (tx: Db) => Promise<unknown>, onWait: OnWait) {
  const attempt = async (tx: Db) => {
    // SET takes no parameters. The role may have limits of its own.
    await tx.execute(`set local lock_timeout = ${lockTimeout}`)
    await tx.execute('set local statement_timeout = 0')
    await work(tx)
  }
  await waitUntil(
    () => succeeds(db.transaction(attempt)),
    () => onWait('transactions that use the tables of this migration'),
    lockPause
  )
}

/** False when a lock was not free, or a deadlock was found. */
async function succeeds(migration: Promise<void>) {
  try {
    await migration
    return true
  } catch (error) {
    if (databaseCode(error) === '55P03' || isRetryable(error)) return false
    throw error
  }
}

/** Milliseconds of waiting before `onWait` is called for the first time, and between its calls. */
const waitReport = { first: 5000, next: 60_000 }

/** Does the work, and calls `onWait` while it takes long. */
export async function reporting<T>(work: () => PromiseLike<T>, onWait: () => void): Promise<T> {
  const first = setTimeout(onWait, waitReport.first)
  const next = setInterval(onWait, waitReport.next)
  try {
    return await work()
  } finally {
    clearTimeout(first)
    clearInterval(next)
  }
}

/**
 * Repeats `attempt` until it returns something truthy, which is the result.
 * @param pause milliseconds between two attempts
 */
export async function waitUntil<T>(
  attempt: () => Promise<T | false | undefined>,
  onWait: () => void,
  pause = 100
): Promise<T> {
  let reportAt = performance.now() + waitReport.first
  for (;;) {
    const result = await attempt()
    if (result) return result
    if (performance.now() > reportAt) {
      onWait()
      reportAt = performance.now() + waitReport.next
    }
    await sleep(pause)
  }
}
