import { setNewest } from '../bounded-map.ts'
import { inBatches, settled } from './batches.ts'
import type { Done, Snapshot, Snapshots } from './snapshots.ts'

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
export function keepFresh<K extends object, V, T>(
  snapshots: Snapshots,
  { capacity, load, isCurrent, lasts = () => true, renew }: FreshOptions<K, V, T>
) {
  const kept = new Map<K, Tagged<V, T>>()

  const reload = inBatches<{ key: K; done: (error: unknown, value?: V, now?: number) => void }>(
    async (batch) => {
      const [error, result] = await settled(load([...new Set(batch.map(({ key }) => key))]))
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
        setNewest(kept, key, entry, capacity)
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
        setNewest(kept, key, entry, capacity)
        done(undefined, entry.value, snapshot.now)
      })
    })
}
