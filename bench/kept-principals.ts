import { setTimeout as sleep } from 'node:timers/promises'
import { addSessions } from '../test/support/many-sessions.ts'
import { freePort } from '../test/support/postgres.ts'
import { atLeast, atMost, save } from './figures.ts'
import { lineOf } from './growth/lines.ts'
import { assertAll, drive, requestOf } from './load.ts'
import { usage } from './processes.ts'
import { newPortalDatabase, progress, startPortal, withPostgres } from './stage.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 15)
const sessions = 3000
const checksPerSecond = 1000
/** Users changed per second, with the largest share of the checks that may read a principal. */
const paces = [
  { changes: 1, most: 0.05 },
  { changes: 11, most: 0.05 },
  { changes: 66, most: 0.05 },
  { changes: 277, most: 0.2 },
  { changes: 500, most: 0.3 }
]
const connections = 20

/** Measures how many session checks read their principal while other users change. */
export const keptPrincipals = () =>
  withPostgres(async (server) => {
    const url = await newPortalDatabase(server, 'kept_principals')
    const check = (cookie: string) => requestOf({ path: '/api/auth/me', cookie })
    const kept = (await addSessions(url, { count: sessions })).map(check)
    // Each of them changes their name once.
    const lead = 2
    const needed = paces.reduce((sum, { changes }) => sum + changes * (seconds + 2 * lead + 1), 0)
    const changing = (await addSessions(url, { count: needed })).map((cookie) =>
      requestOf({ method: 'PUT', path: '/api/user/name', cookie, body: { name: 'Ada King' } })
    )
    const metricsPort = await freePort()
    const portal = await startPortal('portal', url, { METRICS_PORT: String(metricsPort) })
    const other = await startPortal('the other portal', url)
    const totals = async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      const total = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
      return {
        principals: total('portal_principals_loaded_total'),
        shards: total('portal_freshness_shard_reads_total'),
        reads: total('portal_freshness_reads_total')
      }
    }
    const rows = []
    try {
      // All sessions are read, and hot code is compiled.
      await drive({ port: portal.port, requests: kept, connections, seconds: 5 })
      for (const { changes, most } of paces) {
        const changed = drive({
          port: other.port,
          requests: changing.splice(0, changes * (seconds + 2 * lead + 1)),
          connections: changes,
          every: 1000,
          seconds: seconds + 2 * lead
        })
        await sleep(1000 * lead)
        const before = await totals()
        const cpuBefore = usage(portal).cpuSeconds
        const checked = await drive({
          port: portal.port,
          requests: shuffled(kept, checksPerSecond * (seconds + 1)),
          connections,
          every: (1000 * connections) / checksPerSecond,
          seconds
        })
        const after = await totals()
        const cpu = usage(portal).cpuSeconds - cpuBefore
        const { statuses } = await changed
        assertAll(200, 'session checks', checked)
        const checks = checked.perSecond * seconds
        const row = {
          pace: changes,
          // Without those that a slow machine rejects.
          changes: Math.round((statuses[200] ?? 0) / (seconds + 2 * lead)),
          checks: Math.round(checked.perSecond),
          'read a principal': (after.principals - before.principals) / checks,
          'reads of shards': (after.shards - before.shards) / seconds,
          'shared reads': (after.reads - before.reads) / seconds,
          'processor µs': (cpu * 1e6) / checks,
          p50: checked.p50,
          p99: checked.p99,
          most
        }
        rows.push(row)
        progress(JSON.stringify(row))
      }
    } finally {
      await portal.stop()
      await other.stop()
    }
    save(
      'kept-principals',
      rows.flatMap((row) => [
        atMost(
          `share of session checks that read the user at ${row.pace} changes a second`,
          row['read a principal'],
          row.most
        ),
        atLeast(`of the ${row.pace} a second, changed`, row.changes / row.pace, 0.9)
      ]),
      {
        rows,
        lines: [
          lineOf(
            {
              what: `changes a second beside ${checksPerSecond} session checks`,
              unit: 'µs of the processor for a check',
              isLinear: false
            },
            new Map(rows.map((row) => [row.pace, [row['processor µs']]]))
          )
        ]
      }
    )
  })

const shuffled = <T>(from: T[], count: number) =>
  Array.from({ length: count }, () => from[Math.floor(Math.random() * from.length)] as T)
