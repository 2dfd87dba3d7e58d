import { setNewest } from '../bounded-map.ts'

/** All epochs by scope and the clock of the database, from one statement. */
export interface Snapshot {
  values: readonly string[]
  now: number
}

type Done<T> = (error: unknown, result?: T) => void

/** Calls back with a snapshot whose read began after the call. */
export type Snapshots = (done: Done<Snapshot>) => void

/**
 * Shares one read of the epochs between all waiting callers. Callers that arrive during a read wait
 * for the next one: a read that began before a request arrived may miss a change that was
 * acknowledged before the request.
 */
export function createSnapshots(read: () => Promise<Snapshot>): Snapshots {
  return inBatches<Done<Snapshot>>(async (batch) => {
    const [error, snapshot] = await settled(read())
    for (const done of batch) done(error, snapshot)
  })
}

interface Keeping<K, V> {
  /** The maximum number of values; beyond it the least recently used ones are removed. */
  capacity: number
  /** Reads the values of these keys and the snapshot in the same statement. */
  load(keys: K[]): Promise<{ snapshot: Snapshot; found: Map<K, V> }>
  /** The scopes that are bumped when the value changes. */
  scopesOf(value: V): readonly number[]
  /** False when the value may have expired, and so must be read again. */
  lasts?(value: V, now: number): boolean
  /** Copies data of the kept value to the one that was just read. */
  renew?(fresh: V, old: V): void
}

/**
 * Keeps strictly fresh values without a query for each: a kept value is current while its scopes
 * have the epochs of the snapshot that it was read in.
 *
 * Why no result is ever stale: (1) A change and the new epoch of its scope commit together, so a
 * snapshot has both or neither. (2) A value and its tags are read by one statement, so they belong
 * to the same state. (3) A change that was acknowledged before a request arrived had committed
 * before the read for this request began, so that snapshot has the new epoch. (4) So tags that
 * equal that snapshot belong to a state with the change; and tags that differ lead to another read,
 * which begins even later. Epochs are random and never occur twice, so a failover or a restore
 * cannot bring an old one back. Two reads that end in the wrong order leave tags that no snapshot
 * equals, which the next request repairs.
 */
export function keepFresh<K extends object, V>(
  snapshots: Snapshots,
  { capacity, load, scopesOf, lasts = () => true, renew }: Keeping<K, V>
) {
  interface Entry {
    value: V
    scopes: readonly number[]
    tags: readonly (string | undefined)[]
  }
  const kept = new Map<K, Entry>()

  const reload = inBatches<{ key: K; done: (error: unknown, value?: V, now?: number) => void }>(
    async (batch) => {
      const [error, result] = await settled(load([...new Set(batch.map(({ key }) => key))]))
      if (!result) {
        for (const { done } of batch) done(error)
        return
      }
      const { snapshot, found } = result
      for (const { key } of batch) {
        const value = found.get(key)
        const old = kept.get(key)
        kept.delete(key)
        if (value === undefined) continue
        if (old && old.value !== value) renew?.(value, old.value)
        const scopes = scopesOf(value)
        const tags = scopes.map((scope) => copy(snapshot.values[scope]))
        setNewest(kept, key, { value, scopes, tags }, capacity)
      }
      for (const { key, done } of batch) done(undefined, found.get(key), snapshot.now)
    }
  )

  /** Calls back with the current value of the key, or undefined, and the time of the database. */
  return (key: K, done: (error: unknown, value?: V, now?: number) => void) =>
    snapshots((error, snapshot) => {
      if (!snapshot) return done(error)
      const entry = kept.get(key)
      if (!entry || !isCurrent(entry, snapshot) || !lasts(entry.value, snapshot.now)) {
        return reload({ key, done })
      }
      setNewest(kept, key, entry, capacity)
      done(undefined, entry.value, snapshot.now)
    })
}

/** A copy, because a slice of a string keeps the whole string in memory: all 66 epochs. */
const copy = (text: string | undefined) =>
  text === undefined ? undefined : Buffer.from(text).toString()

function isCurrent(
  { scopes, tags }: { scopes: readonly number[]; tags: readonly (string | undefined)[] },
  { values }: Snapshot
) {
  for (let i = 0; i < scopes.length; i++) if (values[scopes[i] ?? -1] !== tags[i]) return false
  return true
}

/** The most turns of the event loop that a run waits for more callers. */
const patience = 3

/**
 * Runs `work` on everything that was added since the last run began, one run at a time. A run waits
 * up to three event-loop turns for more callers before it starts: clients answered together ask
 * again together, and sharing saves a tenth of the cost of a session check under load. `work` must
 * not throw.
 */
function inBatches<T>(work: (batch: T[]) => Promise<void>) {
  let waiting: T[] = []
  let running = false
  const run = async () => {
    const batch = waiting
    waiting = []
    await work(batch)
    if (waiting.length > 0) setImmediate(gather, patience, 0)
    else running = false
  }
  const gather = (turns: number, before: number) => {
    if (turns > 0 && waiting.length > before) setImmediate(gather, turns - 1, waiting.length)
    else void run()
  }
  return (item: T) => {
    waiting.push(item)
    if (running) return
    running = true
    setImmediate(gather, patience, 0)
  }
}

const settled = <T>(work: Promise<T>): Promise<[error: unknown, result?: T]> =>
  work.then(
    (result): [unknown, T] => [undefined, result],
    (error: unknown): [unknown] => [error]
  )
