import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash, verify } from '@node-rs/bcrypt'
import { addSessions } from '../test/support/many-sessions.ts'
import { atLeast, below, median, quantile, round, save } from './figures.ts'
import { assertAll, drive, requestOf } from './load.ts'
import type { Served } from './processes.ts'
import { newPortalDatabase, progress, startPortal, withPostgres } from './stage.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const clients = 32
const cost = 12
const password = 'correct horse battery'

/** Measures many concurrent logins and their effect on other requests. */
export const logins = () =>
  withPostgres(async (server) => {
    const passwordHash = await hash(password, cost)
    const hashes: number[] = []
    for (let i = 0; i < 8; i++) {
      const start = performance.now()
      await verify(password, passwordHash)
      hashes.push(performance.now() - start)
    }
    const limit = (os.availableParallelism() / median(hashes)) * 1000
    progress(
      `one hash of cost ${cost} takes ${Math.round(median(hashes))} ms: at most ` +
        `${limit.toFixed(1)} logins a second`
    )

    const url = await newPortalDatabase(server, 'logins')
    const cookies = await addSessions(url, { count: 64 })
    await addSessions(url, { count: 1, users: clients, passwordHash })
    const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-bench-files-'))
    const log = path.join(folder, 'reads')
    const portal = await startPortal('portal', url, {
      BCRYPT_COST: String(cost),
      TRUST_PROXY: '127.0.0.1',
      NODE_OPTIONS: `--import ${path.join(import.meta.dirname, 'servers/file-reads.mjs')}`,
      BENCH_FILE_READS: log
    })
    try {
      const emails = await emailsOf(url)
      const checks = cookies.map((cookie) => requestOf({ path: '/api/auth/me', cookie }))
      const light = await underLightLoad(portal, emails, checks, log)
      const full = await underFullLoad(portal, emails, checks)
      const { storm } = light
      save(
        'logins',
        [
          atLeast(
            `logins a second, ${clients} clients, to cores divided by the time of a hash`,
            storm.perSecond / limit,
            0.85
          ),
          below('p99 of /health meanwhile', light.health.p99, 50, 'ms'),
          below('p99 of session checks meanwhile', light.checks.p99, 50, 'ms'),
          below('p99 of a file read in the server meanwhile', light.files, 50, 'ms'),
          atLeast(
            'session checks under full load in the storm, to without it',
            full.map(({ disturbed, undisturbed }) => disturbed / undisturbed),
            0.55
          ),
          {
            ...below(
              'wait of rejected logins for their 503',
              Math.max(...storm.refusals) / 1000,
              4,
              's'
            ),
            holds:
              storm.refusals.length > 0 &&
              storm.withoutRetryAfter === 0 &&
              Math.max(...storm.refusals) < 4000
          },
          below('what an admitted login waits at most', Math.max(...storm.waits) / 1000, 4, 's')
        ],
        {
          clients,
          cost,
          hashMs: round(median(hashes)),
          loginsPerSecond: round(storm.perSecond),
          refused: storm.refusals.length,
          full
        }
      )
    } finally {
      await portal.stop()
      rmSync(folder, { recursive: true })
    }
  })

async function underLightLoad(portal: Served, emails: string[], checks: Buffer[], log: string) {
  const storm = startStorm(portal.port, emails)
  await sleep(3000)
  storm.count()
  const from = Date.now()
  const length = seconds * 4
  const light = { port: portal.port, connections: 2, every: 20, seconds: length }
  const [health, me] = await Promise.all([
    drive({ ...light, requests: [requestOf({ path: '/health' })] }),
    drive({ ...light, requests: checks })
  ])
  const counted = storm.count()
  await storm.stop()
  assertAll(200, '/health', health)
  assertAll(200, 'session checks', me)
  const files = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
    .filter(([at = 0]) => at > from)
    .map(([, ms = NaN]) => ms)
  progress(`storm: ${counted.perSecond.toFixed(1)} logins/s, ${counted.refusals.length} refused`)
  return { storm: counted, health, checks: me, files: quantile(files, 0.99) }
}

async function underFullLoad({ port }: Served, emails: string[], requests: Buffer[]) {
  const all = []
  await drive({ port, requests, connections: 50, seconds: 5 }) // until the hot code is compiled
  for (let turn = 0; turn < rounds; turn++) {
    const load = { port, requests, connections: 50, seconds }
    const alone = await drive(load)
    const storm = startStorm(port, emails)
    await sleep(1000)
    storm.count()
    const stormed = await drive(load)
    const { perSecond } = storm.count()
    await storm.stop()
    assertAll(200, 'session checks', alone)
    assertAll(200, 'session checks in the storm', stormed)
    progress(
      `round ${turn + 1} of ${rounds}: ${Math.round(alone.perSecond)}/s, in the storm ` +
        `${Math.round(stormed.perSecond)}/s and ${perSecond.toFixed(1)} logins/s`
    )
    all.push({
      undisturbed: Math.round(alone.perSecond),
      disturbed: Math.round(stormed.perSecond),
      p99: round(stormed.p99),
      logins: round(perSecond)
    })
  }
  return all
}

/**
 * Clients that log in again after each login, or when Retry-After allows it. Each has its own
 * address.
 */
export function startStorm(port: number, emails: string[]) {
  const over = new AbortController()
  const fresh = () => ({
    since: performance.now(),
    waits: [] as number[],
    refusals: [] as number[],
    withoutRetryAfter: 0
  })
  let counted = fresh()
  const clients = emails.map(async (email, i) => {
    while (!over.signal.aborted) {
      const start = performance.now()
      const response = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${i + 1}` },
        body: JSON.stringify({ email, password })
      })
      await response.arrayBuffer()
      const took = performance.now() - start
      if (response.status === 200) counted.waits.push(took)
      else if (response.status === 503) {
        counted.refusals.push(took)
        const retryAfter = Number(response.headers.get('retry-after'))
        if (!(retryAfter > 0)) counted.withoutRetryAfter++
        await sleep(retryAfter * 1000)
      } else throw new Error(`a login was answered ${response.status}`)
    }
  })
  return {
    /** Counts since the last call. */
    count() {
      const { since, ...rest } = counted
      counted = fresh()
      return { ...rest, perSecond: (rest.waits.length / (performance.now() - since)) * 1000 }
    },
    async stop() {
      over.abort()
      await Promise.all(clients)
    }
  }
}

export async function emailsOf(url: string) {
  const { default: postgres } = await import('postgres')
  const sql = postgres(url, { max: 1 })
  const rows = await sql<
    { email: string }[]
  >`select email from users where password_hash is not null`
  await sql.end()
  return rows.map(({ email }) => email)
}
