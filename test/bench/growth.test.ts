import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { defaults } from '../../bench/growth/assumptions.ts'
import { costNames, tableNames } from '../../bench/growth/costs.ts'
import type { Costs } from '../../bench/growth/costs.ts'
import { endsOf, limitsOf } from '../../bench/growth/limits.ts'
import { model } from '../../bench/growth/model.ts'
import { sharedReads, shardsRead, shareFirst, shareReadAgain } from '../../bench/growth/sharing.ts'
import { root } from '../support/root.ts'

const cost = { microseconds: 100, wal: 1000, walFull: 5000, statements: 5, commits: 1 }
const costs: Costs = {
  events: Object.fromEntries(Object.keys(costNames).map((name) => [name, cost])) as Costs['events'],
  bytesPerRow: Object.fromEntries(tableNames.map((name) => [name, 100])) as Costs['bytesPerRow'],
  throttlesPerLogin: 3,
  hashMilliseconds: 200
}
const simulated = (changes: Partial<typeof defaults> = {}) =>
  model({ ...defaults, ...changes }, costs)

t.test('the share of checks that read a principal agrees with what was measured', async (t) => {
  // By bench/kept-principals.ts: 3,000 sessions on one instance.
  for (const { changes, checks, measured } of [
    { changes: 11, checks: 977, measured: 0.00212 },
    { changes: 66, checks: 883, measured: 0.0122 },
    { changes: 174, checks: 843, measured: 0.0339 }
  ]) {
    const sessions = 3000
    const share = shareReadAgain({ checks: checks / sessions, sessions, capacity: 50_000, changes })
    t.ok(Math.abs(share / measured - 1) < 0.2, `${changes} changes a second: ${share}`)
  }
})

t.test('the least recently used principals give way when there is no room', async (t) => {
  const share = (sessions: number) =>
    shareReadAgain({ checks: 0.1, sessions, capacity: 50_000, changes: 0 })
  t.equal(share(50_000), 0)
  t.ok(Math.abs(share(100_000) - 0.5) < 0.001, 'every second one is there')
  t.ok(share(1_000_000) > 0.94)
  t.equal(
    shareReadAgain({ checks: 0.1, sessions: 10, capacity: 20, changes: 0, roleChanges: 0.1 }),
    0.5,
    'a change of a role concerns all users'
  )
})

t.test('few checks read the epochs each, many share the reads', async (t) => {
  const duration = 0.001
  t.equal(sharedReads(0, duration), 0)
  t.ok(Math.abs(sharedReads(1, duration) - 1) < 0.001)
  t.ok(sharedReads(1000, duration) < 1000)
  t.ok(Math.abs(sharedReads(100_000, duration) - 1000) < 0.001, 'one after another')
})

t.test('an instance reads a shard once per change and check', async (t) => {
  t.equal(shardsRead(0, 100), 0)
  t.equal(shardsRead(100, 0), 0)
  t.equal(shardsRead(100, 100), 50)
  t.ok(shardsRead(1e6, 10) > 9.99 && shardsRead(1e6, 10) < 10, 'never more than changes')
})

t.test('the first check of a visit on each instance reads the principal', async (t) => {
  t.ok(Math.abs(shareFirst(100, 1) - 0.01) < 1e-9)
  t.equal(shareFirst(1, 100), 1)
  t.ok(shareFirst(100, 100) > 0.6 && shareFirst(100, 100) < 0.65, 'balls and bins')
})

t.test('without users the primary only serves reads of the outbox', async (t) => {
  const { sources, tables, total, reads } = simulated({ users: 0, registrations: 0 })
  t.same(
    sources.filter(({ perSecond }) => perSecond !== 0).map(({ source }) => source),
    ['looks at the outbox']
  )
  t.equal(total.perSecond, defaults.instances)
  t.equal(reads.principals, 0)
  t.same(new Set(tables.map(({ rows }) => rows)), new Set([0]))
})

t.test('the load grows with the number of users and shrinks with caching', async (t) => {
  const cores = (changes: Partial<typeof defaults> = {}) => simulated(changes).total.cores
  t.ok(cores({ users: 2 * defaults.users }) > cores())
  t.ok(cores({ checkSeconds: 5 }) > cores())
  t.ok(cores({ settings: 1 }) > cores())
  t.ok(cores({ sessionInstances: 1 }) < cores(), 'session affinity')
  t.ok(cores({ instances: 10 }) < cores(), 'checks on few instances share more reads')
  const epochs = (roundTrip: number) => simulated({ roundTrip, instances: 1 }).reads.epochs
  t.ok(epochs(5) < epochs(0.5), 'a far primary is read less often')
  const { wal } = simulated().total
  t.ok(simulated().total.walFull > wal, 'images of pages add to the WAL')
  t.equal(simulated({ deletedRecords: 0 }).daily.oldRecords, 0, 'months are dropped')
  t.ok(simulated({ retentionDays: 365 }).tables.find(({ table }) => table === 'activity')?.rows)
})

t.test('the demands add up to the total, and those of each instance to those of all', async (t) => {
  const { sources, total, reads } = simulated()
  const sum = sources.reduce((all, { cores }) => all + cores, 0)
  t.ok(Math.abs(sum - total.cores) < 1e-9)
  const perSecond = (name: string) =>
    sources.find(({ source }) => source.startsWith(name))?.perSecond ?? NaN
  const epochs = perSecond('reads of the epochs') + perSecond('reads of changed epochs')
  t.ok(Math.abs(epochs / (reads.epochs * defaults.instances) - 1) < 1e-9)
})

t.test('each limit is reached at the number that is given for it', async (t) => {
  const ends = endsOf(defaults, costs)
  t.ok(ends.some(({ reachedAt }) => reachedAt && 'users' in reachedAt))
  for (const { what, reachedAt } of ends) {
    if (!reachedAt) continue
    const then = limitsOf({ ...defaults, ...reachedAt }, costs).find((each) => each.what === what)
    t.ok(then && Math.abs(then.used / then.limit - 1) < 0.01, what)
  }
  const connections = ends.find(({ what }) => what === 'connections of the primary')
  t.match(connections, { reachedAt: { instances: Number } }, 'they do not depend on users')
  const shares = ends.map(({ used, limit }) => used / limit)
  t.same(
    shares,
    shares.toSorted((a, b) => b - a),
    'the nearest first'
  )
})

t.test('the command prints its assumptions and its results from the stored costs', async (t) => {
  const file = path.join(root, '.build/bench/simulate.js')
  const { stdout } = await promisify(execFile)(process.execPath, [file, '--users', '1000'])
  t.match(stdout, /--users +1,000 +- +10,000,000[^]*sign-in from a new device +[1-9][^]*What ends/)
  t.notMatch(stdout, /NaN|undefined|Infinity/)
})
