import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import type { Sql } from 'postgres'
import { openDatabase } from '../db/client.ts'
import type { Db } from '../db/engine.ts'
import { createRole } from '../src/domain/access/roles.ts'
import { deleteRole } from '../src/domain/access/role-deletion.ts'
import { sweep } from '../src/domain/jobs/sweep.ts'
import { operator } from '../test/support/app.ts'
import { addSessions } from '../test/support/many-sessions.ts'
import { caller } from '../test/resilience/people.ts'
import { below, quantile, round, save } from './figures.ts'
import { newPortalDatabase, progress, startPortal, withPostgres } from './stage.ts'

// Measures how the end of many rows slows requests: `npm run build && npx tsx bench/ends.ts`. Two
// million of each take some ten minutes and 4 GB. ENDS_SNAPSHOT=1 keeps a transaction open
// meanwhile, as a backup does, so that nothing can be vacuumed.

const members = Number(process.env.ENDS_MEMBERS ?? 2_000_000)
const dead = Number(process.env.ENDS_SESSIONS ?? 2_000_000)
const seconds = Number(process.env.ENDS_SECONDS ?? 20)
const many = 40_000_000
/** Requests at a time, and milliseconds between the requests of each. */
const [clients, every] = [8, 40]
const key = 'everyone'

interface Measured {
  seconds: number
  requests: number
  p99: number
  worst: number
  failed: number
  /** Milliseconds, of the deletion. Sampled. */
  longestTransaction: number
}

await withPostgres(
  async (server) => {
    const url = await newPortalDatabase(server, 'ends')
    const cookies = await addSessions(url, { count: 500 })
    // Before the rows exist: it sweeps at its start.
    const portal = await startPortal('portal', url, { THROTTLE_WRITES: '999999/0.001' })
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    const own = `${url}?application_name=deletion`
    const database = await openDatabase(own, { poolMax: 1 })
    const snapshot = postgres(url, { max: 1 })
    try {
      await fill(sql, database.db)
      if (process.env.ENDS_SNAPSHOT) {
        await snapshot`begin isolation level repeatable read`
        await snapshot`select count(*) from roles`
      }
      const ask = requestsOf(portal.port, cookies)
      await ask(sql, sleep(5000)) // warm
      const before = await ask(sql, sleep(seconds * 1000))
      progress(`before: ${JSON.stringify(before)}`)

      const role = await ask(sql, deleteRole(database.db, operator, { key }))
      const [steps] = await sql`
        select count(*)::int as count from activity where action in ('role.members-remove', 'role.delete')`
      const [left] = await sql`select count(*)::int as count from user_roles where role_id not in
        (select id from roles)`
      progress(
        `${members} members in ${steps?.count} batches: ${JSON.stringify(role)}, ${left?.count} left`
      )

      await sql`delete from jobs`
      let deleted = 0
      const sessions = await ask(
        sql,
        sweep({
          db: database.db,
          recent: new Set(),
          retentionDays: 180,
          signal: new AbortController().signal,
          onDeleted: (what, count) => {
            if (what === 'dead sessions') deleted += count
          },
          onError: (what, error) => {
            throw new Error(what, { cause: error })
          }
        })
      )
      if (deleted !== dead) throw new Error(`${deleted} of ${dead} sessions were deleted`)
      const rate = dead / sessions.seconds
      progress(
        `${dead} sessions in ${Math.ceil(dead / 1000)} batches, ${round(rate)} a second ` +
          `(${round(many / rate / 3600)} hours for ${many}): ${JSON.stringify(sessions)}`
      )
      const claims = (what: string, measured: Measured) => [
        below(`${what}: p99 of requests, to before`, measured.p99 / before.p99, 2, 'times'),
        below(`${what}: longest transaction`, measured.longestTransaction, 2000, 'ms'),
        below(`${what}: failed requests`, measured.failed, 1, 'requests')
      ]
      save(
        'ends',
        [
          ...claims(`${members} members of a role`, role),
          ...claims(`${dead} dead sessions`, sessions),
          below(`${many} dead sessions, extrapolated`, many / rate / 3600, 4, 'hours')
        ],
        { before, role, sessions }
      )
    } finally {
      await Promise.all([sql.end(), database.close(), snapshot.end({ timeout: 0 })])
      await portal.stop()
    }
  },
  ['shared_buffers=512MB', 'max_wal_size=8GB']
)
process.exit()

async function fill(sql: Sql, db: Db) {
  progress(`storing ${members} members of a role and ${dead} dead sessions`)
  await createRole(db, operator, { key, name: key })
  await sql`
    insert into users (id, email, email_normalized, name)
    select gen_random_uuid(), n || '@example.org', n || '@example.org', 'Ada Lovelace'
    from generate_series(1, ${members}::int) as n`
  await sql`
    insert into user_roles select users.id, roles.id from users, roles
    where roles.key = ${key} and email_normalized like '%@example.org'`
  // Half of them revoked, as old as sessions of a day and an hour that ended a month ago.
  await sql`
    insert into sessions (id, token_hash, user_id, created_at, expires_at, revoked_at, revoke_reason)
    select gen_random_uuid(), sha256(n::text::bytea), users.id, at, at + interval '7 days',
      case when n % 2 = 0 then at + interval '1 hour' end, case when n % 2 = 0 then 'logout' end
    from (select n, now() - interval '60 days' + n * interval '20 days' / ${dead}::int as at
      from generate_series(1, ${dead}::int) as n) as made,
      (select id from users limit 1) as users`
  await sql`vacuum analyze`
  await sql`checkpoint`
}

/** Returns a function that sends requests until `work` is done, of which a quarter write. */
function requestsOf(port: number, cookies: string[]) {
  const { call } = caller(() => port)
  return async (sql: Sql, work: Promise<unknown>): Promise<Measured> => {
    const began = performance.now()
    const latencies: number[] = []
    let [failed, longest] = [0, 0]
    const over = new AbortController()
    const done = work.finally(() => {
      over.abort()
    })
    const watch = async () => {
      while (!over.signal.aborted) {
        const [row] = await sql`
          select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as age
          from pg_stat_activity where application_name = 'deletion' and state <> 'idle'`
        longest = Math.max(longest, Number(row?.age) * 1000)
        await sleep(20)
      }
    }
    const client = async (_: unknown, first: number) => {
      for (let n = first; !over.signal.aborted; n += clients) {
        const cookie = cookies[n % cookies.length] ?? ''
        const asked = performance.now()
        const theme = n % 3 === 0 ? 'dark' : 'light'
        const response = await (
          Math.floor(n / clients) % 4 === 0
            ? call('PUT', '/api/user/theme', { cookie, body: { theme } })
            : call('GET', '/api/auth/me', { cookie })
        ).catch(() => undefined)
        const took = performance.now() - asked
        latencies.push(took)
        if (response?.status !== 200) failed++
        await sleep(Math.max(0, every - took))
      }
    }
    await Promise.all([done, watch(), ...Array.from({ length: clients }, client)])
    return {
      seconds: round((performance.now() - began) / 1000),
      requests: latencies.length,
      p99: round(quantile(latencies, 0.99)),
      worst: round(quantile(latencies, 1)),
      failed,
      longestTransaction: Math.round(longest)
    }
  }
}
