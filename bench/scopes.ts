import postgres from 'postgres'
import { openDatabase } from '../db/client.ts'
import { createRole } from '../src/domain/access/roles.ts'
import { listMembers } from '../src/domain/scopes/list.ts'
import { addSessions } from '../test/support/many-sessions.ts'
import { atMost, below, median, round, save } from './figures.ts'
import { lineOf } from './growth/lines.ts'
import { assertAll, drive, requestOf } from './load.ts'
import { explainOn } from './plans.ts'
import { newPortalDatabase, progress, startPortal, withPostgres } from './stage.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const connections = 50
const members = 100_000
/** Numbers of scopes in which each user is asked about, and how much longer a check may take. */
const limits = { 1: 1.2, 50: 1.2, 1000: 2 } as const

/** Measures checks that name a scope next to those that name none, and lists of a large scope. */
export const scopes = () =>
  withPostgres(async (server) => {
    const url = await newPortalDatabase(server, 'portal')
    const [cookie = ''] = await addSessions(url, { count: 1 })
    await addScopes(url)
    const pages = await explainPages(url)
    const portal = await startPortal('portal', url)
    try {
      report(await measure(portal.port, cookie), pages)
    } finally {
      await portal.stop()
    }
  })

/** Gives the user a role in 1,000 scopes, and one scope 100,000 members. */
async function addScopes(url: string) {
  const database = await openDatabase(url)
  const role = { key: 'reader', name: 'Reader', permissions: ['users:read'], scoped: true }
  const { id } = await createRole(database.db, { type: 'cli', source: 'cli' }, role)
  await database.close()
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`
    insert into scoped_roles (user_id, scope, role_id)
    select users.id, 'org:' || n, ${id} from users, generate_series(0, 999) as n`
  await sql`
    insert into users (id, email, email_normalized, name)
    select gen_random_uuid(), n || '@example.org', n || '@example.org', 'Ada Lovelace'
    from generate_series(1, ${members}::int) as n`
  // Otherwise the checks of foreign keys are planned for a table with one row.
  await sql`analyze users`
  await sql`
    insert into scoped_roles (user_id, scope, role_id)
    select id, 'org:large', ${id} from users where email like '%@example.org'`
  await sql`vacuum analyze`
  await sql.end()
}

/** The milliseconds of the first page of a large scope and of one in its middle. */
async function explainPages(url: string) {
  const client = postgres(url, { max: 1 })
  const explain = explainOn(client)
  const page = async (after: unknown[] | undefined) => {
    const read = (db: Parameters<typeof listMembers>[0], from: unknown[] | undefined) =>
      listMembers(db, 'org:large', { limit: 50, sort: 'id', after: from })
    const { ms, scans } = await explain(read, after)
    if (scans.length > 0) throw new Error(`a page scans ${scans.join(', ')}`)
    return ms
  }
  const pages = {
    first: await page(undefined),
    middle: await page([`8${'0'.repeat(7)}-0000-4000-8000-000000000000`])
  }
  await client.end()
  return pages
}

/** Checks a second by the number of scopes, 0 for checks without one. */
async function measure(port: number, cookie: string) {
  const counts = [0, 1, 50, 1000]
  const all = new Map(counts.map((count) => [count, [] as number[]]))
  for (let turn = -1; turn < rounds; turn++) {
    for (const [count, rates] of all) {
      const queries =
        count === 0 ? [''] : Array.from({ length: count }, (_, n) => `&scope=org:${n}`)
      const permission = count === 0 ? 'profile:read' : 'users:read'
      const measured = await drive({
        port,
        requests: queries.map((query) =>
          requestOf({
            path: `/api/auth/check?permission=${permission}${query}`,
            cookie,
            headers: { 'X-Original-Method': 'GET' }
          })
        ),
        connections,
        seconds: turn < 0 ? 2 : seconds
      })
      assertAll(204, `checks in ${count} scopes`, measured)
      progress(`${count} scopes: ${Math.round(measured.perSecond)}/s`)
      if (turn >= 0) rates.push(measured.perSecond)
    }
  }
  return all
}

function report(all: Map<number, number[]>, pages: { first: number; middle: number }) {
  const without = all.get(0) ?? []
  // Compares within a round, in which the machine was equally fast.
  const ratio = (count: number) =>
    (all.get(count) ?? []).map((rate, i) => (without[i] ?? NaN) / rate)
  const rows = [...all].map(([count, rates]) => ({
    scopes: count,
    'checks/s': Math.round(median(rates)),
    'time to one without': round(median(ratio(count)))
  }))
  console.table(rows)
  save(
    'scopes',
    [
      ...Object.entries(limits).map(([count, most]) =>
        atMost(`a check in ${count} scopes to one without, in time`, ratio(Number(count)), most)
      ),
      ...Object.entries(pages).map(([which, ms]) =>
        below(`the ${which} page of ${members} members`, ms, 10, 'ms')
      )
    ],
    {
      ...{ connections, rounds, seconds, rows, pages },
      lines: [
        lineOf(
          {
            what: 'scopes in which a user is asked about',
            unit: 'µs from one check to the next',
            isLinear: false
          },
          new Map(
            [...all]
              .filter(([count]) => count > 0)
              .map(([count, rates]) => [count, rates.map((rate) => 1e6 / rate)])
          )
        )
      ]
    }
  )
}
