import { setTimeout as sleep } from 'node:timers/promises'
import { capacity } from '../src/domain/sessions/principals.ts'
import { startNginx } from '../test/proxies/proxies.ts'
import { addSessions } from '../test/support/many-sessions.ts'
import { freePort } from '../test/support/postgres.ts'
import { atLeast, atMost, median, round, save } from './figures.ts'
import { shareReadAgain } from './growth/sharing.ts'
import { assertAll, drive, requestOf } from './load.ts'
import { newPortalDatabase, progress, startPortal, withPostgres } from './stage.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 2)
const seconds = Number(process.env.BENCH_SECONDS ?? 30)
/** Until nearly every session was checked by all instances again: without affinity, every 12 s. */
const settling = 36
const [instances, sessions, checksPerSecond, changesPerSecond] = [4, 3000, 1000, 66]
const connections = 20
const kinds = ['without', 'with'] as const
type Kind = (typeof kinds)[number]

/**
 * Measures what session affinity in nginx saves: the reads of all instances for session checks,
 * while other users change.
 */
export const affinity = () =>
  withPostgres(async (server) => {
    const ends: (() => unknown)[] = []
    try {
      const url = await newPortalDatabase(server, 'affinity')
      const kept = (await addSessions(url, { count: sessions })).map((cookie) =>
        requestOf({ path: '/api/auth/me', cookie })
      )
      // Each of them changes their name once.
      const perRun = changesPerSecond * (settling + seconds + 1)
      const changing = (await addSessions(url, { count: perRun * rounds * kinds.length })).map(
        (cookie) =>
          requestOf({ method: 'PUT', path: '/api/user/name', cookie, body: { name: 'Ada King' } })
      )
      const portals = []
      for (let n = 0; n < instances; n++) {
        const metrics = await freePort()
        const portal = await startPortal(`portal ${n}`, url, { METRICS_PORT: String(metrics) })
        ends.push(portal.stop)
        portals.push({ port: portal.port, metrics })
      }
      const other = await startPortal('the portal that changes users', url)
      ends.push(other.stop)
      const proxies = await startProxies(
        portals.map(({ port }) => port),
        (end) => ends.push(end)
      )
      const rows = []
      for (let n = 0; n < rounds; n++) {
        for (const kind of kinds) {
          for (const { port } of portals) {
            await drive({ port, requests: kept, connections, seconds: 3 })
          }
          const changed = drive({
            port: other.port,
            requests: changing.splice(0, perRun),
            connections: changesPerSecond,
            every: 1000,
            seconds: settling + seconds
          })
          const row = { affinity: kind, ...(await measure(proxies[kind], portals, kept)) }
          const changes = await changed
          assertAll(200, 'changes', changes)
          rows.push({ ...row, 'changes a second': round(changes.perSecond) })
          progress(JSON.stringify(rows.at(-1)))
        }
      }
      report(rows)
    } finally {
      for (const end of ends.reverse()) await end()
    }
  })

/** nginx as deploy/nginx.conf configures it, with four instances, and without affinity. */
async function startProxies(
  [one = 0, two = 0, ...others]: number[],
  teardown: (end: () => unknown) => void
) {
  const server = (port: number) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=2s;`
  const behind = { portals: [one, two] as const, service: one }
  const changes = {
    [server(two)]: [two, ...others].map(server).join(' '),
    // The load generator opens each connection once.
    '  include portal/refusals.conf;': '  include portal/refusals.conf; keepalive_requests 1000000;'
  }
  const withAffinity = await startNginx({ teardown }, behind, changes)
  const without = await startNginx({ teardown }, behind, {
    ...changes,
    '  hash $portal_affinity consistent;': ''
  })
  return { with: withAffinity.port, without: without.port } satisfies Record<Kind, number>
}

async function measure(port: number, portals: { metrics: number }[], kept: Buffer[]) {
  const checking = drive({
    port,
    requests: Array.from(
      { length: checksPerSecond * (settling + seconds + 1) },
      () => kept[Math.floor(Math.random() * kept.length)] as Buffer
    ),
    connections,
    every: (1000 * connections) / checksPerSecond,
    seconds: settling + seconds
  })
  await sleep(1000 * settling)
  const before = await Promise.all(portals.map(totals))
  await sleep(1000 * (seconds - 1))
  const after = await Promise.all(portals.map(totals))
  const checked = await checking
  assertAll(200, 'session checks', checked)
  const each = (name: keyof Totals) => after.map((all, n) => all[name] - (before[n]?.[name] ?? NaN))
  const total = (name: keyof Totals) => each(name).reduce((sum, value) => sum + value)
  return {
    'checks a second': round(total('checks') / (seconds - 1)),
    'share of the busiest instance': round(Math.max(...each('checks')) / total('checks')),
    'reads of users per check': round(total('users') / total('checks')),
    'reads of epochs per check': round(total('epochs') / total('checks')),
    'reads of shards per check': round(total('shards') / total('checks')),
    p50: round(checked.p50),
    p99: round(checked.p99)
  }
}

type Totals = Awaited<ReturnType<typeof totals>>

async function totals({ metrics }: { metrics: number }) {
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()
  const total = (name: string) =>
    [...text.matchAll(new RegExp(`^${name} (\\S+)$`, 'gm'))].reduce(
      (sum, [, value]) => sum + Number(value),
      0
    )
  return {
    checks: total('portal_http_request_duration_seconds_count{.*"/api/auth/me".*}'),
    users: total('portal_principals_loaded_total'),
    epochs: total('portal_freshness_reads_total'),
    shards: total('portal_freshness_shard_reads_total')
  }
}

type Row = Awaited<ReturnType<typeof measure>> & { affinity: Kind; 'changes a second': number }

function report(measured: Row[]) {
  const rows = measured.map((row) => ({
    ...row,
    'reads of users, computed': round(
      shareReadAgain({
        checks: row['checks a second'] / sessions / (row.affinity === 'with' ? 1 : instances),
        sessions,
        capacity,
        changes: row['changes a second']
      })
    )
  }))
  console.table(rows)
  const ratio = (name: 'reads of users per check' | 'reads of epochs per check') => {
    const of = (kind: Kind) =>
      median(rows.filter(({ affinity }) => affinity === kind).map((row) => row[name]))
    return of('with') / of('without')
  }
  const slowest = (name: 'checks a second' | 'changes a second') =>
    Math.min(...rows.map((row) => row[name]))
  save(
    'affinity',
    [
      atMost(
        'reads of users per check with session affinity, to without',
        ratio('reads of users per check'),
        0.4
      ),
      atMost(
        'reads of epochs per check with session affinity, to without',
        ratio('reads of epochs per check'),
        1.2
      ),
      atLeast(
        `of ${checksPerSecond} a second, checked`,
        slowest('checks a second') / checksPerSecond,
        0.9
      ),
      atLeast(
        `of ${changesPerSecond} a second, changed`,
        slowest('changes a second') / changesPerSecond,
        0.9
      )
    ],
    { instances, sessions, rows }
  )
}
