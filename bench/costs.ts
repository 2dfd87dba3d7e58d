import os from 'node:os'
import path from 'node:path'
import { hash } from '@node-rs/bcrypt'
import postgres from 'postgres'
import { openDatabase } from '../db/client.ts'
import { clean, postgresTool, runPostgres } from '../test/support/postgres.ts'
import { round, save } from './figures.ts'
import { measureChanges } from './growth/changes.ts'
import { measureChecks } from './growth/checks.ts'
import { costNames } from './growth/costs.ts'
import type { Cost, CostName } from './growth/costs.ts'
import { measureJobs } from './growth/jobs.ts'
import { createMeter } from './growth/meter.ts'
import type { Measure } from './growth/meter.ts'
import { largeDatabase } from './large-database.ts'
import { progress } from './stage.ts'

// Measures what each event costs PostgreSQL, for `npm run check -- simulate`: `npm run check -- costs [users
// [repetitions]]`. A busy machine changes the processor times little, and the rest not at all.

const users = Number(process.argv[2] ?? 100_000)
const repetitions = Number(process.argv[3] ?? 1000)
const size = { users, sessions: 2 * users, records: 5 * users, mails: users }

const folder = path.join(os.tmpdir(), 'portal-bench-costs')
const url = await largeDatabase(folder, size)
// Again with the defaults for safety, some of which the measurement switches off and on.
await postgresTool(folder, 'pg_ctl', '--pgdata', path.join(folder, 'data'), '--wait', 'stop')
await runPostgres(folder, Number(new URL(url).port), [
  'shared_buffers=512MB',
  'max_wal_size=8GB',
  'checkpoint_timeout=1h',
  'autovacuum=off',
  'jit=off',
  'shared_preload_libraries=pg_stat_statements'
])
const sql = postgres(url, { max: 1, onnotice: () => {} })
const database = await openDatabase(url, { poolMax: 1 })
try {
  await measureAll()
} finally {
  await database.close()
  await sql.end()
  await clean(folder)
}
process.exit()

async function measureAll() {
  await sql`create extension pg_stat_statements`
  // A new connection asks for more.
  await Promise.all([database.db.execute('select 1'), database.checkDb.execute('select 1')])
  const filled = await sizes(['users', 'sessions', 'activity', 'outbox'])
  const measureOne = createMeter(sql)
  const events: Partial<Record<CostName, Cost>> = {}
  const measure: Measure = async (name, event) => {
    const cost = rounded(await measureOne(event))
    events[name] = cost
    progress(`${costNames[name]}: ${JSON.stringify(cost)}`)
  }
  await measureChecks(measure, database, sql, repetitions)
  const { throttlesPerLogin } = await measureChanges(measure, database, sql, repetitions)
  const ofThrottle = await sizes(['throttle'])
  await measureJobs(measure, database, sql, url)
  const [server] = await sql<{ version: string }[]>`select version()`
  save('costs', [], {
    postgres: /^\S+ \S+/.exec(server?.version ?? '')?.[0],
    rows: size,
    repetitions,
    events,
    bytesPerRow: rounded({ ...filled, ...ofThrottle }),
    throttlesPerLogin: round(throttlesPerLogin),
    hashMilliseconds: round(await hashTime())
  })
}

/** Bytes per row of these tables, indexes included. */
async function sizes(tables: string[]) {
  const all = await Promise.all(
    tables.map(async (table) => {
      const [row] = await sql<{ bytes: number }[]>`
        select pg_total_relation_size(${table}::regclass)::float8 / (select count(*) from ${sql(table)})
          as bytes`
      return [table, row?.bytes ?? NaN] as const
    })
  )
  return Object.fromEntries(all)
}

/** Milliseconds of processor time. */
async function hashTime() {
  const before = process.cpuUsage()
  for (let n = 0; n < 5; n++) await hash('correct horse battery', 12)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / 5
}

function rounded<T extends object>(figures: T) {
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [name, round(Number(figure))])
  ) as T
}
