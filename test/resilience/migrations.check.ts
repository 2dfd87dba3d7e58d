import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { openPostgres } from '../../db/postgres/engine.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { migrations, migrationsBefore, tags } from '../db/journal.ts'
import { clean, startPostgres } from '../support/postgres.ts'
import { spawnServer } from '../support/server-process.ts'
import { checkOut, commitBefore } from './earlier.ts'
import { publicFolder, shared } from './instances.ts'
import { administration, endlessBackups } from './migration-load.ts'
import { caller, people } from './people.ts'
import type { Call } from './people.ts'

// `npm run check -- migrations`. The earlier version is the last one without a migration after `released`,
// or PREVIOUS. MIGRATION_USERS=1000000 takes some ten minutes and 4 GB.

/** The last migration of the version that is in use. */
const released = '0012_second_factors_valid'
const users = Number(process.env.MIGRATION_USERS ?? 20_000)
const later = tags().slice(tags().indexOf(released) + 1)

t.test(
  `${later.length} migrations with ${users} users: no request of the earlier version fails`,
  { skip: later.length === 0 && 'there is none' },
  async (t) => {
    const commit =
      process.env.PREVIOUS ?? (await commitBefore(`db/migrations/${later[0] ?? ''}.sql`))
    const earlier = await checkOut(t, commit)
    const url = await aServer(t)
    const env = { ...shared, DATABASE_URL: url, MIGRATE_ON_START: 'true' }
    const script = path.join(earlier, '.build/src/server.js')
    const start = async (changes: Record<string, string>) => {
      const server = await spawnServer({ ...env, ...changes }, { cwd: earlier, script })
      t.teardown(async () => {
        server.process.kill('SIGKILL')
        await server.exit
      })
      return server.ready()
    }
    const production = await start({})
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    t.teardown(() => sql.end())
    const [before] = await sql`select count(*)::int as count from drizzle.__drizzle_migrations`
    t.equal(before?.count, tags().length - later.length, 'the schema of the earlier version')
    await fill(sql, readFileSync(path.join(earlier, 'bench/seed.sql'), 'utf8'))
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
    for (const [i, tag] of later.entries()) {
      const next = later[i + 1]
      await backups.oneRuns()
      t.comment(`${tag}: ${await apply(next ? migrationsBefore(t, next) : migrations)}`)
      t.same(failuresOf(crowd.tally), {}, `${tag}: failed requests`)
      t.same(failuresOf(admin.tally), {}, `${tag}: failed requests of administrators`)
    }
    const current = await openDatabase(url)
    await current.migrate(syncRegistry)
    t.equal(await current.isMigrated(), true)
    await current.close()
    await sleep(1000)
    await Promise.all([crowd.stop(), admin.stop(), backups.stop()])
    t.comment(`answers: ${JSON.stringify(crowd.tally)}, ${JSON.stringify(admin.tally)}`)
    t.same(failuresOf(crowd.tally), {})
    t.same(failuresOf(admin.tally), {})
    t.ok((crowd.tally['200'] ?? 0) > 50 && (admin.tally['200'] ?? 0) > 20, 'there was load')
    t.same(await crowd.missing(visitors.call), [])
  }
)

async function aServer(t: Test) {
  const folder = path.join(publicFolder(t), 'postgres')
  const url = await startPostgres(folder, ['max_wal_size=8GB', 'shared_buffers=256MB', 'jit=off'])
  t.teardown(() => clean(folder))
  return url
}

const failuresOf = (tally: Record<string, number>) =>
  Object.fromEntries(Object.entries(tally).filter(([kind]) => !/^2\d\d$/.test(kind)))

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
