import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway } from '../../../db/errors.ts'
import { setNewest } from '../bounded-map.ts'
import { createBulkhead } from '../passwords/bulkhead.ts'
import type { Bulkhead } from '../passwords/bulkhead.ts'
import type { Noted } from '../domain-error.ts'

/** A bucket that was full when it was read. Times are of performance.now(). */
export interface Refusal {
  /** When the read began: every try that had arrived by then may be refused by it. */
  at: number
  /** When the bucket has room again, unless something is given back. */
  until: number
  noted: Noted
}

/**
 * Milliseconds that a try waits at most before a bucket that was full is read again: `each` for
 * every try that waits, so that some 250 are refused a second however many connections send them.
 */
const pause = { least: 200, each: 5, most: 5000 }
/** Tries that wait at one time. One for each connection that a server accepts. */
const waitingLimit = 4096
const refusalLimit = 10_000
/** Milliseconds in a queue. With the pause less than a request may take. */
const patience = 8000

/** Names of the queues of a caller who has proved to belong to an account. */
export interface Known {
  account: Buffer
  source: Buffer
}

export type Gate = ReturnType<typeof createGate>

/**
 * Keeps tries that will be refused away from the database and from other callers: they are slowed
 * down, one read refuses all that arrived before it, and few of one source are worked on at a time.
 * A refusal is not older than the try (unless too many wait), so a reset and a try given back count
 * at once.
 * @param atOnce tries of one source that are worked on at a time
 */
export function createGate(atOnce: number) {
  const refusals = new Map<string, Refusal>()
  const ofAccount = queues(1)
  const ofKnown = queues(atOnce)
  let waiting = 0
  let turns = 0

  return {
    /** What is known to be full by a read that began at `since` or later. */
    recall(keys: Buffer[], since: number): Refusal[] {
      const now = performance.now()
      return keys.flatMap((key) => {
        const found = refusals.get(nameOf(key))
        return found && found.at >= since && found.until > now ? [found] : []
      })
    },
    remember(key: Buffer, refusal: Refusal) {
      setNewest(refusals, nameOf(key), refusal, refusalLimit)
    },
    /** Waits when a bucket was full a moment ago. False when too many wait. */
    async slowDown(keys: Buffer[]): Promise<boolean> {
      if (this.recall(keys, performance.now() - pause.most).length === 0) return true
      if (waiting >= waitingLimit) return false
      waiting++
      // Multiples of the golden ratio are spread evenly: tries that came together leave one by one.
      turns = (turns + 0.618034) % 1
      const most = Math.min(Math.max(waiting * pause.each, pause.least), pause.most)
      await sleep((most * (1 + turns)) / 2)
      waiting--
      return true
    },
    /**
     * Works on at most `atOnce` tries of one source at a time. The others wait in a queue of this
     * source, so they hold up nobody else. Throws `overloaded` for a try that waits too long.
     */
    inTurn: queues(atOnce),
    /**
     * The same for a known caller: one try of an account at a time, and `atOnce` of a source.
     * Strangers do not wait in these queues, so they cannot hold up a known caller.
     */
    inTurnKnown: <T>({ account, source }: Known, work: () => Promise<T>) =>
      ofAccount(account, () => ofKnown(source, work)),
    /** For finding the account of a device: its holders wait for each other only. */
    lookUpInTurn: queues(1)
  }
}

function queues(running: number) {
  const open = new Map<string, Bulkhead>()
  return async <T>(key: Buffer, work: () => Promise<T>): Promise<T> => {
    const name = nameOf(key)
    const queue = open.get(name) ?? createBulkhead({ running, waiting: waitingLimit, patience })
    open.set(name, queue)
    try {
      return await queue.run(work)
    } catch (error) {
      if (isDatabaseAway(error)) queue.clear() // it is for all of them
      throw error
    } finally {
      if (queue.load().running === 0) open.delete(name)
    }
  }
}

const nameOf = (key: Buffer) => key.toString('latin1')
