import os from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { openDatabase } from '../db/client.ts'
import type { Db } from '../db/engine.ts'
import { outboxStates } from '../db/schema/outbox.ts'
import { listActivity, listOwnActivity } from '../src/domain/activity/list.ts'
import type { Page } from '../src/domain/keyset.ts'
import { listOutbox } from '../src/domain/outbox/list.ts'
import { listSessions } from '../src/domain/sessions/sessions.ts'
import { listUsers } from '../src/domain/users/list.ts'
import { clean } from '../test/support/postgres.ts'
import { largeDatabase } from './large-database.ts'
import { explainOn } from './plans.ts'

// Measures the cost of a page of each list in a large database: `npx tsx bench/lists.ts [share]`. A
// share of 0.01 is for trying the script out. BENCH_KEEP=1 keeps the server running, and BENCH_URL
// uses an existing database with data.

const share = Number(process.argv[2] ?? 1)
const size = {
  users: 1_000_000 * share,
  sessions: 2_000_000 * share,
  records: 5_000_000 * share,
  mails: 1_000_000 * share
}
const limit = 50
const pages = 100
/** Milliseconds. */
const allowed = 50

const folder = path.join(os.tmpdir(), 'portal-bench-lists')
const url = process.env.BENCH_URL ?? (await largeDatabase(folder, size))
const client = postgres(url, { max: 1, onnotice: () => {} })
const database = await openDatabase(url, { poolMax: 1 })
const explain = explainOn(client)

let failed = false
try {
  await measureAll()
} finally {
  await client.end()
  await database.close()
  if (!process.env.BENCH_KEEP && !process.env.BENCH_URL) await clean(folder)
}
process.exit(failed ? 1 : 0)

async function measureAll() {
  const rules = { idleSeconds: 86_400, absoluteSeconds: 604_800, maxPerUser: 20 }
  const [robot] =
    await client`select user_id as id from sessions group by user_id order by count(*) desc limit 1`
  const [tool] =
    await client`select actor_id as id from activity where actor_id is not null group by actor_id order by count(*) desc limit 1`
  const [somebody] = await client`select id from users order by id offset ${size.users / 2} limit 1`
  const [quiet] =
    await client`select session_id as id, request_id as request from activity where session_id <> md5('busy')::uuid order by at desc offset 1000 limit 1`
  const [busy] = await client`select md5('busy')::uuid as id`
  const sessionIds = [busy?.id, quiet?.id]
  const both = <T extends string>(sorts: readonly T[]) =>
    sorts.flatMap((sort) => [sort, `-${sort}` as const])
  const userFilters = [
    {},
    { status: 'active' },
    { status: 'deactivated' },
    { role: 'user' },
    { role: 'support' },
    { role: 'pioneer' },
    { role: 'auditor' },
    { role: 'support', status: 'deactivated' },
    { q: 'lovel' },
    { q: 'ada.lovelace1' },
    { q: 'student' },
    { q: 'A' },
    { q: 'zz' },
    { q: 'Xa1b2c' },
    { q: 'lovelace', status: 'deactivated' },
    { q: 'ada', role: 'pioneer' }
  ] as const
  const sessionFilters = [
    {},
    { state: 'active' },
    { state: 'expired' },
    { state: 'revoked' },
    { userId: robot?.id },
    { userId: robot?.id, state: 'active' },
    { userId: robot?.id, state: 'expired' },
    { userId: somebody?.id }
  ] as const
  const outcomes = ['success', 'failure'] as const
  const activityFilters = [
    {},
    ...outcomes.map((outcome) => ({ outcome })),
    ...['auth.login', 'user.update', 'role.create', 'no.such'].flatMap((action) => [
      { action },
      ...outcomes.map((outcome) => ({ action, outcome }))
    ]),
    { actorId: tool?.id },
    { actorId: somebody?.id },
    { targetId: somebody?.id },
    { actorId: tool?.id, action: 'auth.login' },
    { actorId: tool?.id, outcome: 'failure' as const },
    { actorId: somebody?.id, action: 'auth.login' },
    { actorId: tool?.id, targetId: somebody?.id },
    { from: new Date(Date.now() - 90 * 86_400_000), to: new Date(Date.now() - 89 * 86_400_000) },
    { action: 'auth.logout', from: new Date(Date.now() - 90 * 86_400_000) },
    ...['203.0.113.7', '198.51.100.9', '10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24'].flatMap((ip) => [
      { ip },
      { ip, action: 'auth.login', outcome: 'failure' as const },
      { ip, actorId: somebody?.id }
    ]),
    ...sessionIds.flatMap((sessionId) => [
      { sessionId },
      { sessionId, outcome: 'failure' as const }
    ]),
    { requestId: quiet?.request }
  ]

  for (const sort of both(['createdAt', 'email', 'name'] as const)) {
    for (const filter of userFilters) {
      await measure('users', { ...filter, sort }, (db, after) =>
        listUsers(db, { ...filter, sort, limit, after })
      )
    }
  }
  for (const sort of both(['createdAt'] as const)) {
    for (const filter of sessionFilters) {
      await measure('sessions', { ...filter, sort }, (db, after) =>
        listSessions({ db, sessionRules: rules }, { ...filter, sort, limit, after })
      )
    }
  }
  for (const sort of both(['at'] as const)) {
    for (const filter of activityFilters) {
      await measure('activity', { ...filter, sort }, (db, after) =>
        listActivity(db, { ...filter, sort, limit, after })
      )
    }
  }
  for (const sort of both(['createdAt'] as const)) {
    for (const filter of [{}, ...outboxStates.map((state) => ({ state }))]) {
      await measure('outbox', { ...filter, sort }, (db, after) =>
        listOutbox(db, { ...filter, sort, limit, after })
      )
    }
  }
  for (const id of [tool?.id, somebody?.id]) {
    await measure('own activity', { id }, (db, after) =>
      listOwnActivity(db, { id }, { sort: '-at', limit, after })
    )
  }
}

async function measure(
  list: string,
  what: object,
  read: (db: Db, after: unknown[] | undefined) => Promise<Page<unknown>>
) {
  let after: unknown[] | undefined
  const times: number[] = []
  const positions: (unknown[] | undefined)[] = [undefined]
  for (let page = 1; page <= pages; page++) {
    const began = performance.now()
    const { next } = await read(database.db, after)
    times.push(performance.now() - began)
    if (!next) break
    after = next
    positions.push(next)
  }
  const plans = [
    await explain(read, positions[0]),
    await explain(read, positions[Math.min(positions.length, pages) - 1])
  ]
  const inDatabase = Math.max(...plans.map((plan) => plan.ms))
  const scans = [...new Set(plans.flatMap((plan) => plan.scans))]
  const bad = inDatabase > allowed || scans.length > 0
  failed ||= bad
  const row = {
    list,
    ...what,
    pages: times.length,
    medianMs: median(times),
    maxMs: Math.max(...times),
    databaseMs: inDatabase,
    ...(scans.length > 0 && { scans })
  }
  process.stdout.write(
    process.stdout.isTTY
      ? `${bad ? '✗' : '✓'} ${list.padEnd(12)} ${JSON.stringify(what).slice(0, 96).padEnd(98)} ${times.length} pages, median ${median(times).toFixed(1)}, max ${Math.max(...times).toFixed(1)}, in the database ${inDatabase.toFixed(1)} ms ${scans.join(' ')}\n`
      : JSON.stringify({ ...row, ok: !bad }) + '\n'
  )
}

function median(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
