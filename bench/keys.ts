import { sql } from 'drizzle-orm'
import { openDatabase } from '../db/client.ts'
import { apiKeys } from '../db/schema/services.ts'
import { users } from '../db/schema/users.ts'
import { newKey } from '../src/domain/keys/key-form.ts'
import { addSessions } from '../test/support/many-sessions.ts'
import { atMost, median, round, save } from './figures.ts'
import { assertAll, connections, drive, requestOf } from './load.ts'
import { usage } from './processes.ts'
import type { Served } from './processes.ts'
import { newPortalDatabase, progress, startPortal, withPostgres } from './stage.ts'

// Short and many, in turn: a machine is not equally fast for long.
const rounds = Number(process.env.BENCH_ROUNDS ?? 15)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
const warmUp = 8 // seconds, in which hot code is compiled
const [owners, keysOfEach] = [200, 50]

interface Contender {
  name: string
  portal: Served
  requests: Buffer[]
  /** Microseconds of processor time of the portal for each request, by round. */
  cpu: number[]
  /** Requests a second, by round. */
  rates: number[]
}

/**
 * Measures the check with an API key beside the check with a session, and the latter without any
 * key in the database and with 10,000.
 */
export const keys = () =>
  withPostgres(async (server) => {
    const portals: Served[] = []
    try {
      const start = async (name: string, url: string) => {
        const portal = await startPortal(name, url)
        portals.push(portal)
        return portal
      }
      const [without, filled] = [
        await newPortalDatabase(server, 'no_keys'),
        await newPortalDatabase(server, 'keys')
      ]
      const bySession = async (url: string) =>
        (await addSessions(url, { count: owners })).map((cookie) => check({ cookie }))
      const [before, after] = [await bySession(without), await bySession(filled)]
      const secrets = await addKeys(filled)
      // Each has its own process, in which nothing else is compiled.
      const bare = await start('sessions without keys', without)
      const full = await start('sessions with keys', filled)
      const other = await start('keys', filled)
      const of = (name: string, portal: Served, requests: Buffer[]): Contender => ({
        name,
        portal,
        requests,
        cpu: [],
        rates: []
      })
      const contenders = [
        of('session, no key in the database', bare, before),
        of('session, 10,000 keys in the database', full, after),
        of(
          'API key',
          other,
          secrets.map((secret) => check({ authorization: `Bearer ${secret}` }))
        )
      ] as const
      await measure(contenders)
      report(contenders)
    } finally {
      for (const portal of portals) await portal.stop()
    }
  })

/** Both are asked the same question. */
const check = (headers: Record<string, string>) =>
  requestOf({
    path: '/api/auth/check?accept=key&permission=profile:read',
    headers: { 'X-Original-Method': 'GET', ...headers }
  })

/** Gives all users keys, and returns one of each. */
async function addKeys(url: string) {
  const database = await openDatabase(url, { poolMax: 1 })
  const people = await database.db.select({ id: users.id }).from(users)
  const secrets: string[] = []
  for (const { id: userId } of people) {
    const made = Array.from({ length: keysOfEach }, newKey)
    secrets.push(...made.slice(0, 1).map(({ secret }) => secret))
    await database.db.insert(apiKeys).values(
      made.map(({ hash, lastFour }) => ({
        id: sql`gen_random_uuid()`,
        userId,
        name: 'A key',
        hash,
        lastFour,
        assurance: 1 as const,
        expiresAt: sql`now() + interval '90 days'`
      }))
    )
  }
  await database.db.execute('analyze api_keys')
  await database.close()
  return secrets
}

async function measure(contenders: readonly Contender[]) {
  for (let turn = -1; turn < rounds; turn++) {
    for (const { name, portal, requests, cpu, rates } of contenders) {
      const before = usage(portal)
      const time = turn < 0 ? warmUp : seconds
      const measured = await drive({ port: portal.port, requests, connections, seconds: time })
      assertAll(204, name, measured)
      const { perSecond } = measured
      const spent = (usage(portal).cpuSeconds - before.cpuSeconds) / (perSecond * time)
      progress(`${name}: ${Math.round(perSecond)}/s, ${round(spent * 1e6)} µs`)
      if (turn < 0) continue
      cpu.push(spent * 1e6)
      rates.push(perSecond)
    }
  }
}

function report(contenders: readonly [Contender, Contender, Contender]) {
  const [bare, full, key] = contenders
  // Compares within a round, in which the machine was equally fast.
  const ratio = (one: Contender, other: Contender) =>
    one.cpu.map((cpu, turn) => cpu / (other.cpu[turn] ?? NaN))
  const rows = contenders.map(({ name, cpu, rates }) => ({
    check: name,
    'requests/s': Math.round(median(rates)),
    'processor time (µs)': round(median(cpu))
  }))
  console.table(rows)
  save(
    'keys',
    [
      atMost(
        'processor time of a check with an API key to one with a session',
        ratio(key, full),
        1.1
      ),
      atMost(
        'processor time of a check with a session, 10,000 keys in the database to none',
        ratio(full, bare),
        1.05
      )
    ],
    { connections, rounds, seconds, rows }
  )
}
