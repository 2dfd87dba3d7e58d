import { mock } from 'node:test'
import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import postgres from 'postgres'
import t from 'tap'
import type { Test } from 'tap'
import type { OnWait } from '../../db/engine.ts'
import { applyMigrations, readMigrations, withoutApplied } from '../../db/migrate.ts'
import { openPostgres } from '../../db/postgres/engine.ts'
import { onPglite, testDatabase, testDatabaseUrl, until } from '../support/app.ts'
import { migrationsAnd } from './journal.ts'

const skip = onPglite
  ? 'PGlite has one connection, so nothing writes while it builds an index'
  : false

const added =
  'CREATE INDEX CONCURRENTLY "throttle_fails" ON "throttle" USING btree ("fails") WHERE "fails" < 9;'

/** A database with a migration to come, by default an index on `throttle`, and two clients of it. */
async function beforeTheIndex(t: Test, statement = added) {
  const url = await testDatabaseUrl(t)
  const engine = openPostgres(url, { poolMax: 2 })
  const connect = () =>
    postgres(url, { max: 1, onnotice: () => {}, connection: { lock_timeout: 1000 } })
  const [one, other] = [connect(), connect()]
  t.teardown(async () => {
    await Promise.all([engine.close(), one.end({ timeout: 0 }), other.end({ timeout: 0 })])
  })
  const folder = migrationsAnd(t, [statement])
  return {
    db: engine.db,
    one,
    other,
    migrate: (onWait?: OnWait) => engine.migrate(folder, async () => {}, onWait),
    isRecorded: async () => (await withoutApplied(engine.db, readMigrations(folder))).length === 0
  }
}

async function indexOf(client: postgres.Sql) {
  const [index] = await client`
    select indexrelid as oid, indisvalid as valid, pg_get_indexdef(indexrelid) as definition
    from pg_index where indexrelid = to_regclass('throttle_fails')`
  return index
}
const built = { valid: true, definition: /USING btree \(fails\) WHERE \(fails < 9\)/ }

t.test('other connections can write to a table while its index is built', { skip }, async (t) => {
  const { one, other, migrate, isRecorded } = await beforeTheIndex(t)
  const write = (client: postgres.Sql, bucket: string) =>
    client`insert into throttle (bucket, tat, fails) values (${Buffer.from(bucket)}, now(), 1)`
  const isBuilding = async () =>
    (
      await other`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'portal migrate'
      and query like '%"throttle_fails"%' and wait_event_type = 'Lock'`
    ).length === 1

  // A wait is reported after five seconds, here at once. Timers of the driver have arguments.
  const { setTimeout: wait } = globalThis
  const clock = mock.method(
    globalThis,
    'setTimeout',
    (work: () => void, ms: number, ...args: unknown[]) =>
      wait(work, ms === 5000 && args.length === 0 ? 0 : ms, ...(args as []))
  )
  t.teardown(() => clock.mock.restore())

  await one`begin`
  await write(one, 'open while the index is built') // which waits for it
  const awaited: string[] = []
  const migrating = migrate((what) => awaited.push(what))
  await until(isBuilding)
  await t.resolves(write(other, 'written meanwhile'))
  const report = 'the index "throttle_fails": changing it also waits for older transactions'
  t.ok(await until(() => awaited.includes(report)), 'which is reported')
  t.equal(await isBuilding(), true)
  t.equal(await isRecorded(), false, 'so a new instance is not ready before the index is')
  await one`commit`
  await migrating
  t.match(await indexOf(one), built)
  t.equal(await isRecorded(), true)
})

// It would wait for ever for a transaction with an older snapshot.
t.test(
  'an index can be built while a transaction holds the migration lock',
  {
    skip,
    timeout: 60_000
  },
  async (t) => {
    const { one, migrate } = await beforeTheIndex(t)
    const isolation = "default_transaction_isolation = 'repeatable read'"
    await one.unsafe(`alter database "${one.options.database}" set ${isolation}`)
    await migrate()
    t.match(await indexOf(one), built)
  }
)

t.test('an invalid index left by a failed attempt is rebuilt', { skip }, async (t) => {
  const { one, migrate } = await beforeTheIndex(t)
  await one`insert into throttle (bucket, tat, fails)
    select sha256(n::text::bytea), now(), 1 from generate_series(1, 2) as n`
  const failing = one`create unique index concurrently throttle_fails on throttle (fails)`
  await t.rejects(failing, { code: '23505' })
  t.match(await indexOf(one), { valid: false })
  await migrate()
  t.match(await indexOf(one), built)
})

t.test('a build that is killed is repeated', { skip }, async (t) => {
  const { one, other, migrate, isRecorded } = await beforeTheIndex(t)
  const building = () => other`
    select pid from pg_stat_progress_create_index
    where datname = current_database() and relid = 'throttle'::regclass and index_relid > 0`
  await one`begin`
  await one`insert into throttle (bucket, tat, fails) values ('open', now(), 1)`
  const migrating = migrate()
  const killed = t.rejects(migrating, { cause: { code: /^(57P01|CONNECTION_CLOSED)$/ } })
  await until(async () => (await building()).length === 1)
  await other`select pg_terminate_backend(${(await building())[0]?.pid})`
  await killed
  await one`commit`
  t.match(await indexOf(one), { valid: false })
  t.equal(await isRecorded(), false)
  await migrate()
  t.match(await indexOf(one), built)
  t.equal(await isRecorded(), true)
})

t.test('an index that another session is still building is waited for', { skip }, async (t) => {
  const { db, one, other, migrate, isRecorded } = await beforeTheIndex(t)
  const isTrue = async (condition: SQL) =>
    (await db.select({ holds: sql<boolean>`exists (${condition})` }).from(sql`(select) as one`))[0]
      ?.holds
  await one`begin`
  await one`insert into throttle (bucket, tat, fails) values ('open', now(), 1)`
  await other`set lock_timeout = 0`
  const building =
    other`create index concurrently throttle_fails on throttle (fails) where fails < 9`.execute()
  await until(async () =>
    isTrue(sql`select from pg_stat_progress_create_index
      where datname = current_database() and index_relid > 0`)
  )

  // The state after a migrating process was killed: its backend continues, and its lock is free.
  const migrating = migrate()
  const asked = sql`select from pg_stat_activity where datname = current_database()
    and application_name = 'portal migrate' and query like '%pg_stat_progress_create_index%'`
  await until(async () => isTrue(asked))
  await one`commit`
  await building
  const index = await indexOf(one)
  await migrating
  t.match(index, built)
  t.same(await indexOf(one), index, 'and neither dropped nor built again')
  t.equal(await isRecorded(), true)
})

t.test('an index that was built but not recorded is kept', { skip }, async (t) => {
  const { one, migrate, isRecorded } = await beforeTheIndex(t)
  await one`create index throttle_fails on throttle (fails) where fails < 9`
  const before = await indexOf(one)
  await migrate()
  t.same(await indexOf(one), before)
  t.equal(await isRecorded(), true)
})

const dropped = 'DROP INDEX CONCURRENTLY "users_name";'

t.test(
  'other connections can write to a table while an index of it is dropped',
  { skip },
  async (t) => {
    const { one, other, migrate, isRecorded } = await beforeTheIndex(t, dropped)
    const write = (client: postgres.Sql, email: string) =>
      client`insert into users (id, email, email_normalized, name)
      values (gen_random_uuid(), ${email}, ${email}, 'Ada')`
    const isDropping = async () =>
      (
        await other`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'portal migrate'
      and query ilike 'drop index%' and wait_event_type = 'Lock'`
      ).length === 1
    const exists = async () =>
      (await one`select to_regclass('users_name') is not null as exists`)[0]?.exists as boolean

    await one`begin`
    await write(one, 'open while the index is dropped') // which waits for it
    t.equal(await exists(), true)
    const migrating = migrate()
    await until(isDropping)
    await t.resolves(write(other, 'written meanwhile'))
    t.equal(await isDropping(), true)
    await one`commit`
    await migrating
    t.equal(await exists(), false)
    t.equal(await isRecorded(), true)
  }
)

t.test('an index that was dropped but not recorded is no problem', { skip }, async (t) => {
  const { one, migrate, isRecorded } = await beforeTheIndex(t, dropped)
  await one`drop index users_name`
  await migrate()
  t.equal(await isRecorded(), true)
})

t.test('a migration with a concurrent index and other statements is rejected', async (t) => {
  const { db } = await testDatabase(t)
  const folder = migrationsAnd(t, [
    'ALTER TABLE "jobs" ADD COLUMN "extra" text;',
    'CREATE INDEX CONCURRENTLY "x" ON "jobs" ("extra");'
  ])
  await t.rejects(applyMigrations(db, folder, !onPglite), /must do nothing else/)
  const columns = await db
    .select({ name: sql`attname` })
    .from(sql`pg_attribute`)
    .where(sql`attrelid = 'jobs'::regclass and attname = 'extra'`)
  t.same(columns, [], 'and nothing of it is done')
})
