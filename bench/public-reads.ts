import { atLeast, below, round, save } from './figures.ts'
import { assertAll, drive, requestOf } from './load.ts'
import type { Measured } from './load.ts'
import { newPortalDatabase, post, progress, startPortal, withPostgres } from './stage.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const readers = 100
/** 100 checks a second in all. */
const checks = { connections: 5, every: 50 }
const paths = [
  '/openapi.json',
  '/.well-known/jwks.json',
  '/api/auth/options',
  '/account',
  '/health'
] as const
const account = { email: 'ada@example.com', password: 'correct horse battery' }

/** Measures session checks while a hundred others read a public path as fast as they can. */
export const publicReads = () =>
  withPostgres(async (server) => {
    const url = await newPortalDatabase(server, 'portal')
    const portal = await startPortal('portal', url, { ACCOUNT_PAGES: 'on' })
    const { port } = portal
    try {
      await post(port, '/api/auth/register', { ...account, name: 'Ada Lovelace' })
      const { headers } = await post(port, '/api/auth/login', account)
      const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const check = async () => {
        const requests = [requestOf({ path: '/api/auth/me', cookie })]
        const measured = await drive({ port, requests, seconds, ...checks })
        assertAll(200, 'session check', measured)
        return measured
      }
      await check() // warms up
      const alone = await check()
      const beside: Record<string, Measured & { reads: number }> = {}
      for (const path of paths) {
        const requests = [requestOf({ path })]
        const [measured, reads] = await Promise.all([
          check(),
          drive({ port, requests, connections: readers, seconds })
        ])
        assertAll(200, path, reads)
        beside[path] = { ...measured, reads: reads.perSecond }
        progress(`${path}: ${Math.round(reads.perSecond)} reads a second`)
      }
      report(alone, beside)
    } finally {
      await portal.stop()
    }
  })

function report(alone: Measured, beside: Record<string, Measured & { reads: number }>) {
  const all = Object.values(beside)
  const rows = Object.entries({ alone: { ...alone, reads: 0 }, ...beside }).map(
    ([name, { perSecond, p50, p99, reads, asking }]) => [
      name,
      {
        checks: round(perSecond),
        p50: round(p50),
        p99: round(p99),
        reads: round(reads),
        asking: round(asking)
      }
    ]
  )
  const table = Object.fromEntries(rows) as object
  console.table(table)
  save(
    'public-reads',
    [
      atLeast(
        `session checks beside ${readers} readers of a public path, to without`,
        Math.min(...all.map(({ perSecond }) => perSecond)) / alone.perSecond,
        0.5
      ),
      below('p99 of these session checks', Math.max(...all.map(({ p99 }) => p99)), 200, 'ms')
    ],
    { paths: table }
  )
}
