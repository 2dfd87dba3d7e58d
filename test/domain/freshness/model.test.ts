import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { rolesScope } from '../../../db/schema/epochs.ts'
import { createSnapshots, createFreshCache } from '../../../src/domain/freshness/fresh-cache.ts'
import type { Snapshot } from '../../../src/domain/freshness/fresh-cache.ts'
import { createUserEpochs, userTags } from '../../../src/domain/freshness/user-epochs.ts'
import type { Shard } from '../../../src/domain/freshness/user-epochs.ts'

// A model: a store in which a change and the new epochs appear at one moment, like a commit. The
// times of reads, results and commits are chosen by the scheduler, which tries many orders. A result
// is stale if the user had it at no moment since the request arrived.

// The last byte gives the shard, the one before it the part: ann and bob share the shard, ann and
// cid the part of different shards.
const ids = { ann: '0000', bob: '0100', cid: '0001' }
type Name = keyof typeof ids
const names = Object.keys(ids) as Name[]
const places = { ann: [0, 0], bob: [0, 1], cid: [1, 0] } as const
const tokens = { ann: { name: 'ann' }, bob: { name: 'bob' }, cid: { name: 'cid' } } as const

const rows = ['roles', 'epoch', 'numbers'] as const

type Step =
  | { kind: 'ask' | 'change'; name: Name }
  /** Removes a row, as an incomplete restore does. */
  | { kind: 'lose'; row: (typeof rows)[number] }
  /** After a change by hand, which bumps nothing. Adds what is missing. */
  | { kind: 'refresh'; name: Name }
  | { kind: 'roles' | 'save' | 'restore' }
const name = fc.constantFrom(...names)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('ask' as const), name }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('change' as const), name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('roles', 'save', 'restore') }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('lose' as const), row: fc.constantFrom(...rows) })
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refresh' as const), name }) }
)
/** Several actors, each of which acts sequentially. */
const plans = fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 4
})

/**
 * After each event, lets the reads begin that wait for a few turns of the event loop. Without it,
 * all changes and requests would happen before the first read.
 */
async function turns(event: () => Promise<void>) {
  await event()
  for (let turn = 0; turn < 6; turn++) await new Promise(setImmediate)
}

/** The rows of a shard, which may be missing. */
interface StoredShard {
  value?: bigint | undefined
  numbers?: bigint[] | undefined
}
interface Store {
  user: Record<Name, number>
  roles: number
  rolesEpoch?: bigint | undefined
  shards: StoredShard[]
}

function model(s: fc.Scheduler, misses: boolean[], capacity: number) {
  let drawn = 0
  const random = () => createHash('sha256').update(`${drawn++}`).digest().readBigUInt64BE()
  const randoms = () => [random(), random()]
  const first: Store = {
    user: { ann: 0, bob: 0, cid: 0 },
    roles: 0,
    rolesEpoch: random(),
    shards: [0, 1].map(() => ({ value: random(), numbers: randoms() }))
  }
  let store = first
  let saved = first
  /** The values that each user had, in order. */
  const history: Record<Name, string>[] = []
  const commit = (next: Store) => {
    store = next
    const result = (of: Name) => `${store.user[of]}, roles ${store.roles}`
    history.push({ ann: result('ann'), bob: result('bob'), cid: result('cid') })
  }
  commit(first)
  let changes = 0
  const hex = (number: bigint) => number.toString(16).padStart(16, '0')
  const present = <T>(row: T | undefined): T => {
    if (row === undefined) throw new Error('missing')
    return row
  }
  const shardOf = ({ value, numbers }: StoredShard): Shard => ({
    value: hex(present(value)),
    numbers: present(numbers).map(hex).join('')
  })
  const snapshot = (): Snapshot => {
    const values: string[] = []
    store.shards.forEach(({ value }, scope) => (values[scope] = hex(present(value))))
    values[rolesScope] = hex(present(store.rolesEpoch))
    return { values, now: 0 }
  }
  let reads = 0
  /** Reads at a moment after the call and returns at a later one, or never in time. */
  const read = async <T>(look: () => T): Promise<T> => {
    const missed = misses[reads++ % misses.length]
    await s.schedule(Promise.resolve(), 'look')
    const seen = look()
    await s.schedule(Promise.resolve(), 'answer')
    if (missed) throw new Error('late')
    return seen
  }
  const isCurrent = createUserEpochs((scopes) =>
    read(() => ({
      roles: hex(present(store.rolesEpoch)),
      shards: new Map(
        store.shards.flatMap((shard, scope): [number, Shard][] =>
          scopes.includes(scope) ? [[scope, shardOf(shard)]] : []
        )
      )
    }))
  )
  let loads = 0
  const load = (of: Name) => {
    loads++
    const [scope, part] = places[of]
    const { numbers } = shardOf(present(store.shards[scope]))
    const number = numbers.slice(16 * part, 16 * (part + 1))
    return {
      value: `${store.user[of]}, roles ${store.roles}`,
      tags: userTags(ids[of], { number, roles: hex(present(store.rolesEpoch)) })
    }
  }
  const keep = createFreshCache(
    createSnapshots(() => read(snapshot)),
    {
      capacity,
      isCurrent,
      load: (asked: { name: Name }[]) =>
        read(() => ({ found: new Map(asked.map((key) => [key, load(key.name)])), now: 0 }))
    }
  )
  const lose = (row: (typeof rows)[number]) => {
    const next = structuredClone(store)
    const [shard] = next.shards
    if (row === 'roles') next.rolesEpoch = undefined
    else if (row === 'epoch') present(shard).value = undefined
    else present(shard).numbers = undefined
    commit(next)
  }
  const act = (step: Exclude<Step, { kind: 'ask' }>) => {
    if (step.kind === 'change') {
      const next = structuredClone(store)
      const [scope, part] = places[step.name]
      const shard = present(next.shards[scope])
      next.user[step.name] = ++changes
      present(shard.numbers)[part] = random()
      present(shard.value)
      shard.value = random()
      commit(next)
    } else if (step.kind === 'roles') {
      commit({ ...store, roles: ++changes, rolesEpoch: random() })
    } else if (step.kind === 'lose') lose(step.row)
    else if (step.kind === 'refresh') {
      commit({
        user: { ...store.user, [step.name]: ++changes },
        roles: store.roles,
        rolesEpoch: random(),
        shards: store.shards.map(() => ({ value: random(), numbers: randoms() }))
      })
    } else if (step.kind === 'save') saved = store
    else commit(saved)
  }
  return {
    loads: () => loads,
    /** Undefined when the database did not answer in time. */
    async ask(of: Name) {
      await s.schedule(Promise.resolve(), 'arrive')
      const arrived = history.length - 1
      const result = await new Promise<string | undefined>((resolve, reject) =>
        keep(tokens[of], (error, value) =>
          error ? reject(new Error('refused', { cause: error })) : resolve(value)
        )
      ).catch(() => 'refused' as const)
      if (result === 'refused') return
      if (!history.slice(arrived).some((had) => had[of] === result)) {
        throw new Error(`${of} got ${result}, had ${JSON.stringify(history.slice(arrived))}`)
      }
      return result
    },
    async act(step: Exclude<Step, { kind: 'ask' }>) {
      await s.schedule(Promise.resolve(), 'commit')
      try {
        act(step)
      } catch {
        return // refused, because a row is missing
      }
      await s.schedule(Promise.resolve(), 'acknowledge')
    }
  }
}

t.test(
  'in every order of events, a result is one that the user had since the request arrived',
  async (t) => {
    let answered = 0
    let fromMemory = 0
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler({ act: turns }),
        plans,
        fc.array(fc.constantFrom(false, false, false, true), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(1, 3),
        async (s, plan, misses, capacity) => {
          const { ask, act, loads } = model(s, misses, capacity)
          await s.waitFor(
            Promise.all(
              plan.map(async (steps) => {
                for (const step of steps) {
                  if (step.kind !== 'ask') {
                    await act(step)
                    continue
                  }
                  const before = loads()
                  if ((await ask(step.name)) === undefined) continue
                  answered++
                  if (loads() === before) fromMemory++
                }
              })
            )
          )
        }
      ),
      { numRuns: Number(process.env.FRESHNESS_ROUNDS ?? 150) }
    )
    t.ok(answered > 150, `${answered} answers`)
    t.ok(fromMemory > 25, `${fromMemory} of them from memory`)
  }
)
