import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import postgres from 'postgres'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { applyMigrations } from '../../db/migrate.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { onPglite, testDatabase, testDatabaseUrl, until } from '../support/app.ts'
import { migrationsAnd, migrationsBefore } from './journal.ts'

const skip = onPglite
  ? 'PGlite has one connection, so nothing writes while it builds an index'
  : false

/** A database from before a migration, by default an index on `throttle`, and two clients of it. */
async function beforeTheIndex(t: Test, migration = '0016_ended_rows') {
  const url = await testDatabaseUrl(t)
  const database = await openDatabase(url, { poolMax: 2 })
  const connect = () =>
    postgres(url, { max: 1, onnotice: () => {}, connection: { lock_timeout: 1000 } })
  const [one, other] = [connect(), connect()]
  t.teardown(async () => {
    await Promise.all([database.close(), one.end({ timeout: 0 }), other.end({ timeout: 0 })])
  })
  await one`drop schema public, drizzle cascade`
  await one`create schema public`
  await applyMigrations(database.db, migrationsBefore(t, migration), true)
  return { database, one, other }
}

async function indexOf(client: postgres.Sql) {
  const [index] = await client`
    select indexrelid as oid, indisvalid as valid, pg_get_indexdef(indexrelid) as definition
    from pg_index where indexrelid = to_regclass('throttle_quick')`
  return index
}
const built = { valid: true, definition: /USING btree \(tat\) WHERE \(fails < 100\)/ }

t.test('other connections can write to a table while its index is built', { skip }, async (t) => {
  const { database, one, other } = await beforeTheIndex(t)
  const write = (client: postgres.Sql, bucket: string) =>
    client`insert into throttle (bucket, tat, fails) values (${Buffer.from(bucket)}, now(), 1)`
  // The indexes before it wait for statements with a snapshot, such as this one.
  const isBuilding = async () =>
    (
      await other`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'portal migrate'
      and query like '%"throttle_quick"%' and wait_event_type = 'Lock'`
    ).length === 1

  await one`begin`
  await write(one, 'open while the index is built') // which waits for it
  const awaited: string[] = []
  const migrating = database.migrate(syncRegistry, (what) => awaited.push(what))
  await until(isBuilding)
  await t.resolves(write(other, 'written meanwhile'))
  const wait = 'the index "throttle_quick": changing it also waits for older transactions'
  t.ok(await until(() => awaited.includes(wait)), 'which is reported')
  t.equal(await isBuilding(), true)
  t.equal(await database.isMigrated(), false, 'a new instance is not ready before the index is')
  await one`commit`
  await migrating
  t.match(await indexOf(one), built)
  t.equal(await database.isMigrated(), true)
})

// It would wait for ever for a transaction with an older snapshot.
t.test(
  'an index can be built while a transaction holds the migration lock',
  {
    skip,
    timeout: 60_000
  },
  async (t) => {
    const { database, one } = await beforeTheIndex(t)
    const isolation = "default_transaction_isolation = 'repeatable read'"
    await one.unsafe(`alter database "${one.options.database}" set ${isolation}`)
    await database.migrate(syncRegistry)
    t.match(await indexOf(one), built)
  }
)

t.test('an invalid index left by a failed attempt is rebuilt', { skip }, async (t) => {
  const { database, one } = await beforeTheIndex(t)
  await one`insert into throttle (bucket, tat, fails)
    select sha256(n::text::bytea), now(), 1 from generate_series(1, 2) as n`
  const failing = one`create unique index concurrently throttle_quick on throttle (fails)`
  await t.rejects(failing, { code: '23505' })
  t.match(await indexOf(one), { valid: false })
  await database.migrate(syncRegistry)
  t.match(await indexOf(one), built)
})

t.test('a build that is killed is repeated', { skip }, async (t) => {
  const { database, one, other } = await beforeTheIndex(t)
  const building = () => other`
    select pid from pg_stat_progress_create_index
    where datname = current_database() and relid = 'throttle'::regclass and index_relid > 0`
  await one`begin`
  await one`insert into throttle (bucket, tat, fails) values ('open', now(), 1)`
  const migrating = database.migrate(syncRegistry)
  const killed = t.rejects(migrating, { cause: { code: /^(57P01|CONNECTION_CLOSED)$/ } })
  await until(async () => (await building()).length === 1)
  await other`select pg_terminate_backend(${(await building())[0]?.pid})`
  await killed
  await one`commit`
  t.match(await indexOf(one), { valid: false })
  t.equal(await database.isMigrated(), false)
  await database.migrate(syncRegistry)
  t.match(await indexOf(one), built)
  t.equal(await database.isMigrated(), true)
})

t.test('an index that another session is still building is waited for', { skip }, async (t) => {
  const { database, one, other } = await beforeTheIndex(t)
  const { db } = database
  const isTrue = async (condition: SQL) =>
    (await db.select({ holds: sql<boolean>`exists (${condition})` }).from(sql`(select) as one`))[0]
      ?.holds
  await one`begin`
  await one`insert into throttle (bucket, tat, fails) values ('open', now(), 1)`
  await other`set lock_timeout = 0`
  const building =
    other`create index concurrently throttle_quick on throttle (tat) where fails < 100`.execute()
  await until(async () =>
    isTrue(sql`select from pg_stat_progress_create_index
      where datname = current_database() and index_relid > 0`)
  )

  // The state after a migrating process was killed: its backend continues, and its lock is free.
  const migrating = database.migrate(syncRegistry)
  const asked = sql`select from pg_stat_activity where datname = current_database()
    and application_name = 'portal migrate' and query like '%pg_stat_progress_create_index%'`
  await until(async () => isTrue(asked))
  await one`commit`
  await building
  const index = await indexOf(one)
  await migrating
  t.match(index, built)
  t.same(await indexOf(one), index, 'and neither dropped nor built again')
  t.equal(await database.isMigrated(), true)
})

t.test('an index that was built but not recorded is kept', { skip }, async (t) => {
  const { database, one } = await beforeTheIndex(t)
  await one`create index throttle_quick on throttle (tat) where fails < 100`
  const before = await indexOf(one)
  await database.migrate(syncRegistry)
  t.same(await indexOf(one), before)
  t.equal(await database.isMigrated(), true)
})

t.test(
  'other connections can write to a table while an index of it is dropped',
  { skip },
  async (t) => {
    const { database, one, other } = await beforeTheIndex(t, '0014_portable_search_only')
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
      (await one`select to_regclass('users_search') is not null as exists`)[0]?.exists as boolean

    await one`begin`
    await write(one, 'open while the index is dropped') // which waits for it
    t.equal(await exists(), true)
    const migrating = database.migrate(syncRegistry)
    await until(isDropping)
    await t.resolves(write(other, 'written meanwhile'))
    t.equal(await isDropping(), true)
    await one`commit`
    await migrating
    t.equal(await exists(), false)
    t.equal(await database.isMigrated(), true)
  }
)

t.test('an index that was dropped but not recorded is no problem', { skip }, async (t) => {
  const { database, one } = await beforeTheIndex(t, '0014_portable_search_only')
  await one`drop index users_search`
  await database.migrate(syncRegistry)
  t.equal(await database.isMigrated(), true)
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
