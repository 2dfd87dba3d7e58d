import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../../db/errors.ts'
import { withSlack } from '../../../db/transaction.ts'
import { setBounded } from '../lru.ts'
import { createBulkhead } from '../bulkhead.ts'
import type { Bulkhead } from '../bulkhead.ts'
import type { RefusalDetails } from '../errors.ts'

/** A bucket that was full when it was read. Times are of performance.now(). */
export interface CachedFullBucket {
  /** Start of the read, which may reject every attempt that had arrived by then. */
  at: number
  /** Time at which the bucket has room again, unless an attempt is returned. */
  until: number
  details: RefusalDetails
}

/**
 * The longest time in milliseconds before a full bucket is read again: `each` for every waiting
 * attempt, so that about 250 are rejected per second, however many connections send them.
 */
const pause = { least: 200, each: 5, most: 5000 }
/** Maximum number of waiting attempts: one for each connection that a server accepts. */
export const waitingLimit = 4096
const refusalLimit = 10_000
/** Milliseconds in a queue. Together with the pause, less than a request may take. */
const maxWait = 8000

/** Names of the queues of a caller who has proved to belong to an account. */
export interface KnownCaller {
  account: Buffer
  source: Buffer
}

export type AttemptQueue = ReturnType<typeof createAttemptQueue>

/**
 * Protects the database and other callers from attempts that will be rejected: they are slowed
 * down, one read rejects all attempts that arrived before it, and few of one source run at a time.
 * A refusal is never older than the attempt (unless too many wait), so resets and returned attempts
 * take effect at once.
 * @param atOnce attempts of one source that run at a time
 */
export function createAttemptQueue(atOnce: number) {
  const refusals = new Map<string, CachedFullBucket>()
  const ofAccount = queues(1)
  const ofKnown = queues(atOnce)
  let waiting = 0
  let turns = 0

  return {
    /** The buckets that were full in a read that began at `since` or later. */
    cachedRefusals(keys: Buffer[], since: number): CachedFullBucket[] {
      const now = performance.now()
      return keys.flatMap((key) => {
        const found = refusals.get(nameOf(key))
        return found && found.at >= since && found.until > now ? [found] : []
      })
    },
    cacheRefusal(key: Buffer, refusal: CachedFullBucket) {
      setBounded(refusals, nameOf(key), refusal, refusalLimit)
    },
    /** Waits if a bucket was full a moment ago. False when too many attempts wait. */
    async delay(keys: Buffer[]): Promise<boolean> {
      if (this.cachedRefusals(keys, performance.now() - pause.most).length === 0) return true
      if (waiting >= waitingLimit) return false
      waiting++
      // Multiples of the golden ratio are evenly spread, so attempts that arrive together leave one
      // by one.
      turns = (turns + 0.618034) % 1
      const most = Math.min(Math.max(waiting * pause.each, pause.least), pause.most)
      await sleep((most * (1 + turns)) / 2)
      waiting--
      return true
    },
    /**
     * Runs at most `atOnce` attempts of one source at a time. The others wait in a queue of this
     * source, so they do not delay other callers. Throws `overloaded` after waiting too long.
     */
    inTurn: queues(atOnce),
    /**
     * Runs one attempt of a known caller per account at a time, and `atOnce` per source.
     * Strangers do not wait in these queues, so they cannot hold up a known caller.
     */
    inTurnOfKnownCaller: <T>({ account, source }: KnownCaller, work: () => Promise<T>) =>
      ofAccount(account, () => ofKnown(source, work)),
    /** A queue for finding the account of a device. Its holders wait for each other only. */
    lookUpInTurn: queues(1)
  }
}

function queues(running: number) {
  const open = new Map<string, Bulkhead>()
  return async <T>(key: Buffer, work: () => Promise<T>): Promise<T> => {
    const name = nameOf(key)
    const queue =
      open.get(name) ??
      createBulkhead({
        running,
        waiting: waitingLimit,
        maxWait: withSlack(maxWait)
      })
    open.set(name, queue)
    try {
      return await queue.run(work)
    } catch (error) {
      if (isDatabaseUnavailable(error)) queue.clear() // it applies to all of them
      throw error
    } finally {
      if (queue.load().running === 0) open.delete(name)
    }
  }
}

const nameOf = (key: Buffer) => key.toString('latin1')
