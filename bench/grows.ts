import { contextAt, contextOfVisitor, evaluateAll } from '../src/domain/flags/evaluation.ts'
import { addSessions } from '../test/support/many-sessions.ts'
import { freePort } from '../test/support/postgres.ts'
import { raised } from '../test/support/raised-limits.ts'
import { conditions, flagsWith } from './flags.ts'
import { save } from './figures.ts'
import { lineOf, rowOf } from './growth/lines.ts'
import type { Line } from './growth/lines.ts'
import { assertAll, drive, requestOf } from './load.ts'
import { usage } from './processes.ts'
import type { Served } from './processes.ts'
import { newPortalDatabase, progress, startPortal, withPostgres } from './stage.ts'
import { shuffled } from './timing.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
/** Ten million take an hour to store, so somebody has to ask for them. */
const numbersOfUsers = (process.env.BENCH_USERS ?? '10000,1000000').split(',').map(Number)
const [sessions, connections] = [1000, 20]
/** All instances together: few enough that none of them is busy. */
const checksPerSecond = 400

/**
 * Measures how costs grow with the number of flags, rules, instances and users. Those of scopes and
 * of changes are measured by the parts `scopes` and `kept-principals`.
 */
export async function grows() {
  const lines: Line[] = [
    evaluations('flags of a bulk evaluation, ten rules each', [10, 100, 1000], (flags) => ({
      flags,
      rules: 10
    })),
    evaluations('rules of each of 100 flags', [1, 10, 100], (rules) => ({ flags: 100, rules }))
  ]
  await withPostgres(
    async (server) => {
      lines.push(...(await measureInstances(server)), await measureUsers(server))
    },
    ['max_wal_size=8GB']
  )
  console.table(lines.map(rowOf))
  save('growth', [], { rounds, seconds, lines })
}

/** Processor time of a bulk evaluation. The sizes take turns in random order. */
function evaluations(
  what: string,
  sizes: number[],
  of: (size: number) => { flags: number; rules: number }
): Line {
  const all = sizes.map((size) => ({ size, flags: flagsWith(conditions, of(size)) }))
  const costs = new Map(sizes.map((size) => [size, [] as number[]]))
  for (let turn = -20; turn < rounds * 10; turn++) {
    for (const { size, flags } of shuffled(all)) {
      // About as long for each size: the clock of the processor is coarse.
      const times = Math.max(1, Math.round(2000 / size))
      const before = process.cpuUsage()
      for (let n = 0; n < times; n++) {
        const visitor = contextOfVisitor(`visitor-${turn}-${n}`, { country: 'FR' })
        const found = evaluateAll(flags, contextAt(visitor, { segments: new Map(), now: 0 }))
        if (found.flags.length !== flags.size) throw new Error('flags are missing')
      }
      const { user, system } = process.cpuUsage(before)
      if (turn >= 0) costs.get(size)?.push((user + system) / times)
    }
  }
  return lineOf({ what, unit: 'µs of the processor', isLinear: true }, costs)
}

interface Instance {
  portal: Served
  metrics: number
}

/** Sends the same checks to one, two and four instances, of which each reads the primary. */
async function measureInstances(server: string) {
  const url = await newPortalDatabase(server, 'instances')
  const requests = (await addSessions(url, { count: sessions })).map(checkOf)
  const instances: Instance[] = []
  const sizes = [1, 2, 4]
  const processor = new Map(sizes.map((size) => [size, [] as number[]]))
  const reads = new Map(sizes.map((size) => [size, [] as number[]]))
  try {
    for (let n = 0; n < Math.max(...sizes); n++) {
      const metrics = await freePort()
      const portal = await startPortal(`portal ${n}`, url, { METRICS_PORT: String(metrics) })
      instances.push({ portal, metrics })
      await drive({ port: portal.port, requests, connections, seconds: 3 }) // warms up
    }
    for (let turn = 0; turn < rounds; turn++) {
      for (const size of shuffled(sizes)) {
        const used = instances.slice(0, size)
        const before = await totalsOf(used)
        const measured = await Promise.all(
          used.map(({ portal: { port } }) =>
            drive({
              ...{ port, requests, connections, seconds },
              every: (1000 * connections * size) / checksPerSecond
            })
          )
        )
        for (const each of measured) assertAll(200, 'session checks', each)
        const checks = measured.reduce((sum, { perSecond }) => sum + perSecond * seconds, 0)
        const after = await totalsOf(used)
        processor.get(size)?.push(((after.cpu - before.cpu) * 1e6) / checks)
        reads.get(size)?.push((after.reads - before.reads) / checks)
        progress(`${size} instances: ${Math.round(checks / seconds)} checks a second`)
      }
    }
  } finally {
    for (const { portal } of instances) await portal.stop()
  }
  const what = `instances that check ${checksPerSecond} sessions a second`
  return [
    lineOf({ what, unit: 'µs of their processors for a check', isLinear: false }, processor),
    lineOf({ what, unit: 'reads of the primary for a check', isLinear: false }, reads)
  ]
}

const checkOf = (cookie: string) => requestOf({ path: '/api/auth/me', cookie })

async function totalsOf(instances: Instance[]) {
  const all = await Promise.all(
    instances.map(async ({ portal, metrics }) => {
      const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()
      const reads = /^portal_freshness_reads_total (\S+)$/m.exec(text)?.[1]
      return { cpu: usage(portal).cpuSeconds, reads: Number(reads) }
    })
  )
  return {
    cpu: all.reduce((sum, { cpu }) => sum + cpu, 0),
    reads: all.reduce((sum, { reads }) => sum + reads, 0)
  }
}

/** A change of the name of one of so many users, each of whom has a session. */
async function measureUsers(server: string) {
  const costs = new Map(numbersOfUsers.map((size) => [size, [] as number[]]))
  const all: { size: number; portal: Served; cookies: string[] }[] = []
  try {
    for (const size of numbersOfUsers) {
      progress(`storing ${size} users`)
      const url = await newPortalDatabase(server, `users_${size}`)
      const cookies = await addSessions(url, { count: size, taken: sessions })
      const portal = await startPortal(`${size} users`, url, { THROTTLE_WRITES: raised })
      all.push({ size, portal, cookies })
    }
    for (let turn = -1; turn < rounds; turn++) {
      for (const { size, portal, cookies } of shuffled(all)) {
        // Each finds another name than before.
        const requests = [`Ada King ${turn}`, `Ada Lovelace ${turn}`].flatMap((name) =>
          cookies.map((cookie) =>
            requestOf({ method: 'PUT', path: '/api/user/name', cookie, body: { name } })
          )
        )
        const load = { port: portal.port, requests, connections: 1, seconds }
        const measured = await drive(load)
        assertAll(200, 'changes', measured)
        progress(`${size} users: ${Math.round(measured.perSecond)} changes a second`)
        if (turn >= 0) costs.get(size)?.push(measured.p50)
      }
    }
  } finally {
    for (const { portal } of all) await portal.stop()
  }
  const what = 'users, one of whom changes their name'
  return lineOf({ what, unit: 'ms, the median of one connection', isLinear: false }, costs)
}
