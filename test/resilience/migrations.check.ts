import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import t from 'tap'
import type { Test } from 'tap'
import { openPostgres } from '../../db/postgres/engine.ts'
import { migrationsAnd, nextMigrations } from '../db/journal.ts'
import { clean, startPostgres } from '../support/postgres.ts'
import { root } from '../support/root.ts'
import { startServer } from '../support/server-process.ts'
import { publicFolder, shared } from './instances.ts'
import { administration, endlessBackups } from './migration-load.ts'
import { caller, failuresOf, people } from './people.ts'
import type { Call } from './people.ts'

// `npm run check -- migrations`: the migrations of the next version, made up, or those in the folder
// MIGRATIONS. MIGRATION_USERS=1000000 takes some ten minutes and 4 GB.

const users = Number(process.env.MIGRATION_USERS ?? 20_000)
const folders = process.env.MIGRATIONS
  ? [path.resolve(process.env.MIGRATIONS)]
  : nextMigrations.map((_, i) => migrationsAnd(t, ...nextMigrations.slice(0, i + 1)))

t.test(`the next migrations with ${users} users: no request of this version fails`, async (t) => {
  const url = await aServer(t)
  const env = { ...shared, DATABASE_URL: url, MIGRATE_ON_START: 'true' }
  const start = async (changes: Record<string, string>) =>
    (await startServer(t, { ...env, ...changes })).ready()
  const production = await start({})
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => sql.end())
  await fill(sql, readFileSync(path.join(root, 'bench/seed.sql'), 'utf8'))
  const development = await start({ NODE_ENV: 'development', ACCOUNT_PAGES: 'off' })

  const slowest = { ms: 0, what: '' }
  const timed =
    (call: Call): Call =>
    async (...request) => {
      const began = performance.now()
      try {
        return await call(...request)
      } finally {
        const ms = performance.now() - began
        if (ms > slowest.ms) Object.assign(slowest, { ms, what: request.slice(0, 2).join(' ') })
      }
    }
  const [visitors, office] = [caller(() => production.port), caller(() => development.port)]
  t.teardown(() => {
    visitors.close()
    office.close()
  })
  const crowd = people(timed(visitors.call), 6)
  const admin = await administration(timed(office.call), sql)
  const backups = endlessBackups(url)
  t.teardown(() => Promise.all([crowd.stop(), admin.stop(), backups.stop()]))

  const engine = openPostgres(url, {})
  t.teardown(() => engine.close())
  const apply = async (folder: string) => {
    slowest.ms = 0
    const waits: string[] = []
    const [seen, began] = [backups.count(), performance.now()]
    await engine.migrate(
      folder,
      async () => {},
      (awaited) => waits.push(awaited)
    )
    const took = performance.now() - began
    await sleep(1000) // with the new schema
    return (
      `${(took / 1000).toFixed(1)} s, ${backups.count() - seen} backups began; slowest request ` +
      `${Math.round(slowest.ms)} ms, ${slowest.what}; waited for ${waits.join(', ') || 'nothing long'}`
    )
  }
  const applied = async () =>
    (await sql`select count(*)::int as count from drizzle.__drizzle_migrations`)[0]?.count as number
  const before = await applied()
  for (const [i, folder] of folders.entries()) {
    await backups.oneRuns()
    t.comment(`step ${i + 1}: ${await apply(folder)}`)
    t.same(failuresOf(crowd.tally), {}, `step ${i + 1}: failed requests`)
    t.same(failuresOf(admin.tally), {}, `step ${i + 1}: failed requests of administrators`)
  }
  t.ok((await applied()) >= before + folders.length, 'every migration is recorded')
  t.same(await sql`select indexrelid::regclass as name from pg_index where not indisvalid`, [])
  t.same(await sql`select conname from pg_constraint where not convalidated`, [])
  await sleep(1000)
  await Promise.all([crowd.stop(), admin.stop(), backups.stop()])
  t.comment(`answers: ${JSON.stringify(crowd.tally)}, ${JSON.stringify(admin.tally)}`)
  t.same(failuresOf(crowd.tally), {})
  t.same(failuresOf(admin.tally), {})
  t.ok((crowd.tally['200'] ?? 0) > 50 && (admin.tally['200'] ?? 0) > 20, 'there was load')
  t.same(await crowd.missing(visitors.call), [])
})

async function aServer(t: Test) {
  const folder = path.join(publicFolder(t), 'postgres')
  const url = await startPostgres(folder, ['max_wal_size=8GB', 'shared_buffers=256MB', 'jit=off'])
  t.teardown(() => clean(folder))
  return url
}

/** Fills the tables as bench/lists.ts does. */
async function fill(sql: postgres.Sql, seed: string) {
  const size = { users, sessions: 2 * users, records: 2 * users, mails: Math.max(2000, users / 10) }
  const text = Object.entries(size).reduce(
    (text, [name, count]) => text.replaceAll(`:${name}`, String(count)),
    seed
  )
  for (const statement of text.split(/;\n/).filter((each) => each.trim() !== '')) {
    await sql.unsafe(statement)
  }
  await sql`insert into throttle select sha256(n::text::bytea), now(), 1 from generate_series(1, ${users}::int) as n`
  await sql`vacuum analyze`
}
