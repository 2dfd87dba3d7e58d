import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { hash } from '@node-rs/bcrypt'
import postgres from 'postgres'
import type { Sql } from 'postgres'
import { v7 as uuid } from 'uuid'
import { addSessions } from '../test/support/many-sessions.ts'
import { raised } from '../test/support/raised-limits.ts'
import { imports, startReceiver } from './background.ts'
import { median, published, round, save } from './figures.ts'
import { assertAll, assertSame, drive, requestOf, responseTo } from './load.ts'
import type { Load } from './load.ts'
import { countOf, newPortalDatabase, progress, startPortal, withPostgres } from './stage.ts'
import { shuffled } from './timing.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
/** How many accounts each import has; few in a quick run. */
const accounts = Number(process.env.BENCH_ACCOUNTS ?? (rounds < 3 ? 2000 : 100_000))
const people = 2000
const cores = os.availableParallelism()

/** Return how many are done a second, by the portal and by bare statements. */
export type Rates = Record<'portal' | 'bare', () => Promise<number>>

/** Measures what is written, beside the bare statements that write as much to the same tables. */
export async function writers() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-bench-writers-'))
  const ends: (() => unknown)[] = []
  try {
    await withPostgres(async (server) => {
      const url = await newPortalDatabase(server, 'writers')
      const sql = postgres(url, { max: 32, onnotice: () => {} })
      ends.push(() => sql.end())
      const changes = await addPeople(url, sql)
      // The worker looks for deliveries once a minute when it starts without an endpoint.
      const deliveries = await startReceiver(sql, folder, seconds * 100, (end) => ends.push(end))
      const portal = await startPortal('portal', url, {
        ...deliveries.env,
        TRUST_PROXY: '127.0.0.1',
        // Nobody listens there: mail stays in the outbox.
        MAIL_URL: 'smtp://127.0.0.1:9',
        MAIL_FROM: 'portal@example.com',
        ACCOUNT_URL: 'http://localhost:3000/account',
        ...Object.fromEntries(
          ['WRITES', 'REGISTER', 'MAIL_SOURCE', 'MAIL_UNPROVED'].map((each) => [
            `THROTTLE_${each}`,
            raised
          ])
        )
      })
      ends.push(portal.stop)
      const all: Record<string, Rates> = {
        'changes with their record, 1 writer': changes(portal.port, 1),
        'changes with their record, 8 writers': changes(portal.port, 8),
        'changes with their record, 32 writers': changes(portal.port, 32),
        'sign-ups with their mail': await signUps(portal.port, sql),
        'deliveries of events': deliveries.rates,
        [`accounts of an import of ${accounts}`]: imports(
          url,
          sql,
          path.join(folder, 'users.ndjson'),
          accounts
        )
      }
      report(await measure(all))
      for (const end of ends.splice(0).reverse()) await end()
    })
  } finally {
    for (const end of ends.reverse()) await end()
    rmSync(folder, { recursive: true })
  }
}

/** In turn over several rounds, so that other load on the machine affects all. */
async function measure(all: Record<string, Rates>) {
  const measured = Object.entries(all).map(([what, rates]) => ({
    ...{ what, rates, portal: [] as number[], bare: [] as number[] }
  }))
  for (let turn = -1; turn < rounds; turn++) {
    for (const { what, rates, ...figures } of measured) {
      // An import has no code to warm up, and takes long.
      if (what.startsWith('accounts') && (turn < 0 || turn >= 3)) continue
      for (const kind of shuffled(['portal', 'bare'] as const)) {
        const rate = await rates[kind]()
        progress(`${what}, ${kind}: ${round(rate)}/s`)
        if (turn >= 0) figures[kind].push(rate)
      }
    }
  }
  return measured
}

function report(measured: Awaited<ReturnType<typeof measure>>) {
  // Compares within a round, in which the machine was equally fast.
  const ratios = measured.map(({ portal, bare }) =>
    portal.map((rate, n) => rate / (bare[n] ?? NaN))
  )
  const table = measured.map(({ what, portal, bare }, n) => ({
    what,
    'portal/s': round(median(portal)),
    'bare/s': round(median(bare)),
    'portal to bare': round(median(ratios[n] ?? []))
  }))
  console.table(table)
  save(
    'writers',
    measured.map(({ what }, n) => published(`${what}, a second, to bare`, ratios[n] ?? [])),
    { rounds, seconds, accounts, table }
  )
}

/** Like rateOf: the last responses come after the end of the time. */
async function driven(load: Load, status: number) {
  const start = performance.now()
  const measured = await drive(load)
  assertAll(status, 'the portal', measured)
  const done = measured.statuses[status] ?? 0
  return { done, rate: (done / (performance.now() - start)) * 1000 }
}

/** Repeats work for some seconds, so many times at once, and returns how often a second. */
async function rateOf(count: number, work: () => Promise<unknown>) {
  const [start, limit] = [performance.now(), seconds * 1000]
  let done = 0
  const repeat = async () => {
    for (; performance.now() - start < limit; done++) await work()
  }
  await Promise.all(Array.from({ length: count }, repeat))
  return (done / (performance.now() - start)) * 1000
}

/** Users who change their name, and as many whose names a bare statement changes. */
async function addPeople(url: string, sql: Sql) {
  await addSessions(url, { count: people, taken: 0 })
  const others = await sql<{ id: string }[]>`select id from users`
  const cookies = await addSessions(url, { count: people })
  // Each finds another name than before.
  const requests = ['Ada King', 'Augusta Ada King'].flatMap((name) =>
    cookies.map((cookie) =>
      requestOf({ method: 'PUT', path: '/api/user/name', cookie, body: { name } })
    )
  )
  const records = () =>
    countOf(sql`
      select count(*) from activity where action = 'user.update' and user_agent is null`)
  let next = 0
  return (port: number, count: number): Rates => ({
    async portal() {
      const before = await records()
      const turned = requests.splice(0, next % requests.length)
      requests.push(...turned)
      const { rate, done } = await driven({ port, requests, connections: count, seconds }, 200)
      assertSame('records of changes', (await records()) - before, done)
      next = done
      return rate
    },
    bare: () =>
      rateOf(count, async () => {
        const { id = '' } = others[Math.floor(Math.random() * people)] ?? {}
        const made = await sql`
          with changed as (
            update users set name = ${`Ada ${uuid()}`}, version = version + 1, updated_at = now()
            where id = ${id} returning id)
          insert into activity (id, action, outcome, actor_type, actor_id, target_type, target_id,
            ip, user_agent, request_id, session_id, source, details)
          select ${uuid()}::uuid, 'user.update', 'success', 'user', id, 'user', id::text,
            '127.0.0.1', 'bare', ${uuid()}::uuid, id, 'api', '{"fields":["name"]}'
          from changed returning id`
        assertSame('records of a bare statement', made.length, 1)
      })
  })
}

/**
 * One client for each thread that hashes: nobody waits in the queue, however slow the machine is.
 * With the cost of production, the hash takes nearly all of the time, of the portal and of bare.
 */
async function signUps(port: number, sql: Sql): Promise<Rates> {
  const password = 'correct horse battery'
  const requests = Array.from({ length: 5000 }, (_, n) =>
    requestOf({
      method: 'POST',
      path: '/api/auth/register',
      headers: { 'X-Forwarded-For': `10.0.${n >> 8}.${n & 255}` },
      body: { email: `${uuid()}@example.com`, password, name: 'Ada Lovelace' }
    })
  )
  const waiting = () =>
    countOf(sql`
      select count(*) from registrations join outbox using (id) where payload is not null`)
  const response = await responseTo(port, (requests.pop() ?? '').toString())
  if (!response.startsWith('HTTP/1.1 202') || (await waiting()) !== 1) {
    throw new Error(`a sign-up has no mail: ${response}`)
  }
  return {
    async portal() {
      const before = await waiting()
      const load = { port, connections: cores, seconds }
      const some = requests.splice(0, 60 * seconds)
      const { rate, done } = await driven({ ...load, requests: some }, 202)
      assertSame('mails of sign-ups', (await waiting()) - before, done)
      return rate
    },
    bare: () =>
      rateOf(cores, async () => {
        const [id, email, hashed] = [uuid(), `${uuid()}@example.com`, await hash(password, 12)]
        await sql`
          with made as (
            insert into registrations (id, email, email_normalized, name, password_hash, expires_at)
            values (${id}, ${email}, ${email}, 'Ada', ${hashed}, now() + interval '1 day') returning id)
          insert into outbox (id, kind, payload, next_at, expires_at)
          select id, 'confirm', ${Buffer.alloc(300)}, now() + interval '1 day', now() + interval '1 day'
          from made`
      })
  }
}
