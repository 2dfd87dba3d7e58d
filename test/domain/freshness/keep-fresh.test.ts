import fc from 'fast-check'
import t from 'tap'
import { createSnapshots, keepFresh } from '../../../src/domain/freshness/keep-fresh.ts'
import type { Snapshot } from '../../../src/domain/freshness/keep-fresh.ts'

// A model: a store in which a change and the new epoch of its scope appear at one moment, like a
// commit. The times of reads, results, commits and acknowledgements are chosen by the scheduler,
// which tries many orders.

interface Key {
  name: 'a' | 'b'
  scopes: number[]
}
const keys: Key[] = [
  { name: 'a', scopes: [0, 2] },
  { name: 'b', scopes: [1, 2] }
]
type Step = { kind: 'ask'; key: 0 | 1 } | { kind: 'change'; scope: 0 | 1 | 2 }

/** Several actors, each of which acts sequentially. */
const plans = fc.array(
  fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('ask' as const),
          key: fc.constantFrom(0 as const, 1 as const)
        })
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('change' as const),
          scope: fc.constantFrom(0 as const, 1 as const, 2 as const)
        })
      }
    ),
    { minLength: 1, maxLength: 8 }
  ),
  { minLength: 1, maxLength: 4 }
)

function model(s: fc.Scheduler, misses: boolean[], capacity: number) {
  let random = 0
  const store = { versions: { a: 0, b: 0 }, values: ['x', 'y', 'z'] }
  const acknowledged = { a: 0, b: 0 }
  let reads = 0
  const look = (): Snapshot => ({ values: [...store.values], now: 0 })
  /** Reads at a moment after the call and returns at a later one, or never in time. */
  const read = async <T>(what: () => T): Promise<T> => {
    const missed = misses[reads++ % misses.length]
    await s.schedule(Promise.resolve(), 'look')
    const seen = what()
    await s.schedule(Promise.resolve(), 'answer')
    if (missed) throw new Error('late')
    return seen
  }
  const keep = keepFresh<Key, { name: Key['name']; version: number }>(
    createSnapshots(() => read(look)),
    {
      capacity,
      scopesOf: ({ name }) => keys.find((key) => key.name === name)?.scopes ?? [],
      load: (asked) =>
        read(() => ({
          snapshot: look(),
          found: new Map(
            asked.map((key) => [key, { name: key.name, version: store.versions[key.name] }])
          )
        }))
    }
  )
  return {
    async ask(key: Key) {
      await s.schedule(Promise.resolve(), 'arrive')
      const known = acknowledged[key.name]
      const version = await new Promise<number | undefined>((resolve, reject) =>
        keep(key, (error, value) => (error ? reject(error) : resolve(value?.version)))
      ).catch(() => 'refused' as const)
      if (version !== 'refused' && !(version !== undefined && version >= known)) {
        throw new Error(`${key.name}: version ${version} after ${known} was acknowledged`)
      }
      return version
    },
    async change(scope: 0 | 1 | 2) {
      await s.schedule(Promise.resolve(), 'commit')
      const changed = keys.filter(({ scopes }) => scopes.includes(scope)).map(({ name }) => name)
      for (const name of changed) store.versions[name]++
      store.values[scope] = `${++random}`
      const now = { ...store.versions }
      await s.schedule(Promise.resolve(), 'acknowledge')
      for (const name of changed) acknowledged[name] = Math.max(acknowledged[name], now[name])
    }
  }
}

t.test(
  'in every order of events, an answer includes all changes acknowledged before its request',
  async (t) => {
    let answered = 0
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        plans,
        fc.array(fc.constantFrom(false, false, false, true), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(1, 2),
        async (s, plan: Step[][], misses, capacity) => {
          const { ask, change } = model(s, misses, capacity)
          await s.waitFor(
            Promise.all(
              plan.map(async (steps) => {
                for (const step of steps) {
                  if (step.kind === 'change') await change(step.scope)
                  else if ((await ask(keys[step.key] as Key)) !== 'refused') answered++
                }
              })
            )
          )
        }
      ),
      { numRuns: 1000 }
    )
    t.ok(answered > 1000, `${answered} answers`)
  }
)

t.test('unchanged values are read once and kept, whatever else changes', async (t) => {
  let loads = 0
  const values = ['1', '2', '3']
  const keep = keepFresh<Key, Key>(
    createSnapshots(async () => ({ values: [...values], now: 7 })),
    {
      capacity: 2,
      scopesOf: ({ scopes }) => scopes,
      load: async (asked) => {
        loads++
        return {
          snapshot: { values: [...values], now: 7 },
          found: new Map(asked.map((key) => [key, key]))
        }
      }
    }
  )
  const ask = (key: Key) =>
    new Promise<unknown>((resolve, reject) =>
      keep(key, (error, value, now) => (error ? reject(error) : resolve([value?.name, now])))
    )
  const [a, b] = keys as [Key, Key]
  t.same(await Promise.all([ask(a), ask(a), ask(b)]), [
    ['a', 7],
    ['a', 7],
    ['b', 7]
  ])
  t.equal(loads, 1, 'all that is missing in one statement')
  values[1] = 'changed'
  await ask(a)
  t.equal(loads, 1)
  await ask(b)
  t.equal(loads, 2)
  const others = [
    { name: 'a' as const, scopes: [0] },
    { name: 'a' as const, scopes: [0] }
  ]
  for (const other of others) await ask(other)
  await ask(a)
  t.equal(loads, 5, 'what was pushed out is read anew')
})

t.test('a missing value is not kept, and read again each time', async (t) => {
  let loads = 0
  const keep = keepFresh<Key, Key>(
    createSnapshots(async () => ({ values: ['1'], now: 0 })),
    {
      capacity: 2,
      scopesOf: () => [0],
      load: async () => {
        loads++
        return { snapshot: { values: ['1'], now: 0 }, found: new Map() }
      }
    }
  )
  for (let i = 0; i < 3; i++) {
    t.equal(
      await new Promise((resolve) => keep(keys[0] as Key, (_error, value) => resolve(value))),
      undefined
    )
  }
  t.equal(loads, 3)
})

t.test('concurrent callers share one read', async (t) => {
  let reads = 0
  const snapshots = createSnapshots(async () => {
    reads++
    return { values: [], now: 0 }
  })
  await Promise.all(Array.from({ length: 100 }, () => new Promise((resolve) => snapshots(resolve))))
  t.equal(reads, 1)
})
