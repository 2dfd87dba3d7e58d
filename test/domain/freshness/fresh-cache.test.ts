// Not on PGlite: it uses no database.

import t from 'tap'
import { createSnapshots, createFreshCache } from '../../../src/domain/freshness/fresh-cache.ts'

interface Key {
  name: 'a' | 'b'
  scopes: number[]
}
const keys: Key[] = [
  { name: 'a', scopes: [0, 2] },
  { name: 'b', scopes: [1, 2] }
]

t.test('unchanged values are read once and kept, whatever else changes', async (t) => {
  let loads = 0
  const values = ['1', '2', '3']
  const epochsOf = ({ scopes }: Key, from: readonly string[]) =>
    scopes.map((scope) => from[scope]).join()
  const keep = createFreshCache<Key, Key, { key: Key; epochs: string }>(
    createSnapshots(async () => ({ values: [...values], now: 7 })),
    {
      capacity: 2,
      isCurrent: ({ key, epochs }, now, done) =>
        done(undefined, epochs === epochsOf(key, now.values)),
      load: async (asked) => {
        loads++
        return {
          found: new Map(
            asked.map((key) => [key, { value: key, tags: { key, epochs: epochsOf(key, values) } }])
          ),
          now: 7
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
  const keep = createFreshCache<Key, Key, string>(
    createSnapshots(async () => ({ values: ['1'], now: 0 })),
    {
      capacity: 2,
      isCurrent: (_tags, _snapshot, done) => done(undefined, true),
      load: async () => {
        loads++
        return { found: new Map(), now: 0 }
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
