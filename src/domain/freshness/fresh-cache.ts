import { AsyncResource } from 'node:async_hooks'
import { statements } from '../../../db/statements.ts'
import { setBounded } from '../lru.ts'

/** A value and its tags: the epochs on which it depends, as the same statement read them. */
export interface Tagged<V, T> {
  value: V
  tags: T
}

interface FreshOptions<K, V, T> {
  /** The maximum number of values; beyond it the least recently used ones are removed. */
  capacity: number
  /** Reads the values of these keys, each with its tags in the same statement, and the time. */
  load(keys: K[]): Promise<{ found: Map<K, Tagged<V, T>>; now: number }>
  /**
   * Calls back whether all tags are equal to the epochs of one state: that of this snapshot, or of
   * a read that begins after this call.
   */
  isCurrent(tags: T, snapshot: Snapshot, done: Done<boolean>): void
  /** False when the value may have expired, and so must be read again. */
  lasts?(value: V, now: number): boolean
  /** Copies data of the kept value to the one that was just read. */
  renew?(fresh: V, old: V): void
}

/**
 * Keeps strictly fresh values without a query for each: a kept value is current while its tags are
 * equal to the current epochs.
 *
 * Why no result is ever stale:
 * (1) A change and the new epochs of all values that it affects commit together, so every state of
 * the database has both or neither.
 * (2) A value and its tags are read by one statement, so they belong to one state.
 * (3) A new epoch depends on a random number that was drawn for this change, so it occurs in no
 * state without the change. If an epoch is the same in two states, nothing that it covers was
 * changed between them, nor by changes that a failover or a restore lost in between.
 * (4) A request compares all tags with one state that was read after it arrived, which therefore
 * has every change that was acknowledged before. If they are equal, the value is also that of this
 * state, by (3).
 * (5) Otherwise the value is read again, by a statement that begins even later.
 *
 * Two reads that end in the wrong order leave an older value with its own tags, so the next request
 * finds that they differ.
 */
export function createFreshCache<K extends object, V, T>(
  snapshots: Snapshots,
  { capacity, load, isCurrent, lasts = () => true, renew }: FreshOptions<K, V, T>
) {
  const kept = new Map<K, Tagged<V, T>>()

  const reload = coalesce<{ key: K; done: (error: unknown, value?: V, now?: number) => void }>(
    async (batch) => {
      const [error, result] = await outcomeOf(load([...new Set(batch.map(({ key }) => key))]))
      if (!result) {
        for (const { done } of batch) done(error)
        return
      }
      const { found, now } = result
      for (const { key } of batch) {
        const entry = found.get(key)
        const old = kept.get(key)
        kept.delete(key)
        if (!entry) continue
        if (old && old !== entry) renew?.(entry.value, old.value)
        setBounded(kept, key, entry, capacity)
      }
      for (const { key, done } of batch) done(undefined, found.get(key)?.value, now)
    }
  )

  /** Calls back with the current value of the key, or undefined, and the time of the database. */
  return (key: K, done: (error: unknown, value?: V, now?: number) => void) =>
    snapshots((error, snapshot) => {
      if (!snapshot) return done(error)
      const entry = kept.get(key)
      if (!entry || !lasts(entry.value, snapshot.now)) return reload({ key, done })
      isCurrent(entry.tags, snapshot, (error, current) => {
        if (current === undefined) return done(error)
        // Another request may have read it again in the meantime.
        if (!current || kept.get(key) !== entry) return reload({ key, done })
        setBounded(kept, key, entry, capacity)
        done(undefined, entry.value, snapshot.now)
      })
    })
}

/** All epochs by scope and the clock of the database, from one statement. */
export interface Snapshot {
  values: readonly string[]
  now: number
}

export type Done<T> = (error: unknown, result?: T) => void

/** Calls back with a snapshot whose read began after the call. */
export type Snapshots = (done: Done<Snapshot>) => void

/**
 * Shares one read of the epochs between all waiting callers. Callers that arrive during a read wait
 * for the next one: a read that began before a request arrived may miss a change that was
 * acknowledged before the request.
 */
export function createSnapshots(read: () => Promise<Snapshot>): Snapshots {
  return coalesce<Done<Snapshot>>(async (batch) => {
    const [error, snapshot] = await outcomeOf(read())
    for (const done of batch) done(error, snapshot)
  })
}

/** Maximum number of event-loop turns that a run waits for more callers. */
const maxTurns = 3

/**
 * Runs `work` on everything that was added since the last run began, one run at a time. A run waits
 * up to three event-loop turns for more callers before it starts: clients answered together ask
 * again together, and sharing saves a tenth of the cost of a session check under load. `work` must
 * not throw.
 */
export function coalesce<T>(work: (batch: T[]) => Promise<void>) {
  let waiting: T[] = []
  let running = false
  const run = async () => {
    const batch = waiting
    waiting = []
    await work(batch)
    if (waiting.length > 0) setImmediate(start, maxTurns, 0)
    else running = false
  }
  const gather = (turns: number, before: number) => {
    if (turns > 0 && waiting.length > before) setImmediate(gather, turns - 1, waiting.length)
    else void run()
  }
  // A trace must not attribute work for all callers to the request of one of them.
  const start = statements.hasSubscribers ? AsyncResource.bind(gather) : gather
  return (item: T) => {
    waiting.push(item)
    if (running) return
    running = true
    setImmediate(start, maxTurns, 0)
  }
}

/**
 * Reads what many callers ask for at the same time with one statement, for at most 200 of them, few
 * enough to stay well within the deadline of a session check.
 * @param read returns one value for each key, in their order
 */
export function batched<K, V>(read: (keys: K[]) => Promise<V[]>) {
  const ask = coalesce<{ key: K; done(values: V): void; fail(error: unknown): void }>(
    async (all) => {
      for (let start = 0; start < all.length; start += batchSize) {
        const batch = all.slice(start, start + batchSize)
        const [error, values] = await outcomeOf(read(batch.map(({ key }) => key)))
        for (const [i, { done, fail }] of batch.entries()) {
          if (values) done(values[i] as V)
          else fail(error)
        }
      }
    }
  )
  return (key: K) => new Promise<V>((done, fail) => ask({ key, done, fail }))
}
const batchSize = 200

export const outcomeOf = <T>(work: Promise<T>): Promise<[error: unknown, result?: T]> =>
  work.then(
    (result): [unknown, T] => [undefined, result],
    (error: unknown): [unknown] => [error]
  )
