import { setTimeout as sleep } from 'node:timers/promises'
import { hash } from '@node-rs/bcrypt'
import { installNode, supported } from '../test/nodes/versions.ts'
import type { Node } from '../test/nodes/versions.ts'
import { addSessions } from '../test/support/many-sessions.ts'
import { below, median, memoryLimits, principals, round, save } from './figures.ts'
import type { Claim } from './figures.ts'
import { driveServer, requestOf } from './load.ts'
import type { ServerLoad } from './load.ts'
import { emailsOf, startStorm } from './logins.ts'
import { usage } from './processes.ts'
import type { Served } from './processes.ts'
import { newPortalDatabase, progress, startPortal, withPostgres } from './stage.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const clients = 32
const cost = 12

/** Compares the versions of Node. */
export async function nodes() {
  const installed: Node[] = []
  for (const version of supported) installed.push(await installNode(version))
  const measured = await measureNodes(installed, rounds)
  const [lowest] = measured
  const table = measured.map((each) => ({
    ...rowOf(each),
    'checks to the first': round(
      median(each.checks.map((check, i) => check.perSecond / (lowest?.checks[i]?.perSecond ?? NaN)))
    )
  }))
  console.table(table)
  save('nodes', measured.flatMap(claimsOf), { rounds, seconds, table })
}

/** Figures of a portal on a version of Node. */
export type OnNode = Awaited<ReturnType<typeof measureNodes>>[number]

/** Measures in turn over several rounds, so that other load on the machine affects all versions. */
export async function measureNodes(installed: Node[], rounds: number) {
  const all = installed.map(({ version, file }) => ({
    version,
    file,
    starts: [] as number[],
    /** MB. */
    started: NaN,
    checks: [] as ServerLoad[],
    loginsPerSecond: [] as number[]
  }))
  await withPostgres(async (server) => {
    const url = await newPortalDatabase(server, 'nodes')
    const requests = (await addSessions(url, { count: principals })).map((cookie) =>
      requestOf({ path: '/api/auth/me', cookie })
    )
    const passwordHash = await hash('correct horse battery', cost)
    await addSessions(url, { count: 1, users: clients, passwordHash })
    const emails = await emailsOf(url)
    const start = (name: string, node: string) =>
      startPortal(name, url, { BCRYPT_COST: String(cost), TRUST_PROXY: '127.0.0.1' }, node)
    for (let turn = 0; turn < rounds; turn++) {
      for (const { version, file, starts } of all) {
        const portal = await start(version, file)
        starts.push(portal.startedIn)
        await portal.stop()
      }
    }
    const portals: [OnNode, Served][] = []
    try {
      for (const each of all) portals.push([each, await start(each.version, each.file)])
      await sleep(2000)
      for (const [figures, portal] of portals) figures.started = usage(portal).memory
      for (const [, portal] of portals) await driveServer(portal, requests, 15) // all principals are kept
      for (let turn = 0; turn < rounds; turn++) {
        for (const [figures, portal] of portals) {
          const check = await driveServer(portal, requests, seconds)
          figures.checks.push(check)
          progress(`round ${turn + 1}: ${figures.version} ${Math.round(check.perSecond)}/s`)
        }
      }
      for (let turn = 0; turn < rounds; turn++) {
        for (const [{ loginsPerSecond }, { port }] of portals) {
          loginsPerSecond.push(await logins(port, emails))
        }
      }
    } finally {
      for (const [, portal] of portals) await portal.stop()
    }
  })
  return all
}

async function logins(port: number, emails: string[]) {
  const storm = startStorm(port, emails)
  await sleep(1000)
  storm.count()
  await sleep(seconds * 1000)
  const { perSecond } = storm.count()
  await storm.stop()
  return perSecond
}

const keptMemory = ({ checks }: OnNode) => Math.max(...checks.map(({ memory }) => memory))

export const rowOf = (figures: OnNode) => ({
  Node: figures.version,
  'checks/s': Math.round(median(figures.checks.map(({ perSecond }) => perSecond))),
  'CPU µs': round(median(figures.checks.map(({ cpu }) => cpu))),
  'logins/s': round(median(figures.loginsPerSecond)),
  'start ms': Math.round(median(figures.starts)),
  'MB after start': Math.round(figures.started),
  'MB with 50,000 principals': Math.round(keptMemory(figures))
})

export const claimsOf = (figures: OnNode): Claim[] => [
  below(`memory after start, ${figures.version}`, figures.started, memoryLimits.started, 'MB'),
  below(
    `memory with 50,000 principals kept, ${figures.version}`,
    keptMemory(figures),
    memoryLimits.kept,
    'MB'
  )
]
