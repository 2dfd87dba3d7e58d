import { setNewest } from '../bounded-map.ts'

/** All epochs by scope, and the clock, as one statement of the database saw them. */
export interface Snapshot {
  values: readonly string[]
  now: number
}

type Done<T> = (error: unknown, result?: T) => void

/** Hands over a snapshot that was begun after the call. */
export type Snapshots = (done: Done<Snapshot>) => void

/**
 * One read of the epochs for everybody who waits for one. What came while a read was under way waits for the next:
 * a read begun before a request arrived may not know of a change that was acknowledged before it arrived.
 */
export function createSnapshots(read: () => Promise<Snapshot>): Snapshots {
  return inBatches<Done<Snapshot>>(async (batch) => {
    const [error, snapshot] = await settled(read())
    for (const done of batch) done(error, snapshot)
  })
}

interface Keeping<K, V> {
  /** How many are kept; beyond it those go that were not asked for the longest. */
  capacity: number
  /** What is behind these keys, and the snapshot of the very statement that read it. */
  load(keys: K[]): Promise<{ snapshot: Snapshot; found: Map<K, V> }>
  /** The scopes that are bumped when the value changes. */
  scopesOf(value: V): readonly number[]
  /** False when time alone may have ended it: it is read anew then. */
  lasts?(value: V, now: number): boolean
  /** What a value just read takes over from the one that was kept. */
  renew?(fresh: V, old: V): void
}

/**
 * Strictly fresh values without a query for each: what is kept is the truth as long as its scopes have the values of the snapshot
 * it was read in.
 *
 * Why no answer is ever old: (1) A change and the new random value of its scope commit together, so a snapshot has both or neither.
 * (2) A value and its tags are read by one statement, so the tags are of the state that the value is of. (3) A change that was
 * acknowledged before a request arrived had committed before the read that answers it began, so that snapshot has the new value
 * of its scope. (4) So tags that are equal to that snapshot's are of a state that has the change; and tags that differ lead to
 * a reading anew, which begins later still. Values are random and never come twice: a failover or a restore cannot bring
 * an old one back. Two readings that end in the wrong order leave tags that no snapshot equals, and are repaired by the next request.
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

  /** Calls back with what is behind the key now, undefined when there is nothing, and with the database's time. */
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

/** What is cut from a text keeps the whole of it in memory: two tags would hold on to all 66 values. */
const copy = (text: string | undefined) =>
  text === undefined ? undefined : Buffer.from(text).toString()

function isCurrent(
  { scopes, tags }: { scopes: readonly number[]; tags: readonly (string | undefined)[] },
  { values }: Snapshot
) {
  for (let i = 0; i < scopes.length; i++) if (values[scopes[i] ?? -1] !== tags[i]) return false
  return true
}

/** Turns of the event loop in which a run lets others join it, as long as they come. */
const patience = 3

/**
 * Runs `work` on what has come since it last began, one run at a time. A run begins when a turn of the event loop brought nobody new:
 * who is answered asks again at once, and a tenth of a session check's cost under load is saved by sharing. `work` must not throw.
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
    else run()
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
