import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { readMigrations, withoutApplied } from '../../db/migrate.ts'
import { openPglite } from '../../db/pglite/engine.ts'
import { openPostgres } from '../../db/postgres/engine.ts'
import { testDatabaseUrl } from '../support/app.ts'
import { migrations, migrationsAnd, tags } from './journal.ts'

// Branches write migrations at the same time, and a fix of an old version is written after the
// changes of a new one. The journal has an order, but a database meets them in another.

const early = ['ALTER TABLE "users" ADD COLUMN "early" text;']
const late = ['ALTER TABLE "users" ADD COLUMN "late" text;']

async function anEngine(t: Test) {
  const url = await testDatabaseUrl(t)
  const { pathname, protocol } = new URL(url)
  const engine =
    protocol === 'pglite:' ? await openPglite(pathname) : openPostgres(url, { poolMax: 2 })
  t.teardown(() => engine.close())
  return {
    migrate: (folder: string) => engine.migrate(folder, async () => {}),
    missing: async (folder: string) =>
      (await withoutApplied(engine.db, readMigrations(folder))).map(({ name }) => name),
    read: () => engine.db.execute(sql`select early, late from users`)
  }
}

t.test('a migration is applied after one that was written later', async (t) => {
  const { migrate, missing, read } = await anEngine(t)
  await migrate(migrationsAnd(t, late))
  const both = migrationsAnd(t, early, late)
  t.same(await missing(both), [`added_${tags().length}`], 'the earlier one, by its name')
  await migrate(both)
  await t.resolves(read())
  t.same(await missing(both), [])
})

t.test('a fix of an old version is applied after the migrations of a new one', async (t) => {
  const { migrate, missing, read } = await anEngine(t)
  await migrate(migrationsAnd(t, early))
  const fixed = migrationsAnd(t, late)
  t.equal((await missing(fixed)).length, 1)
  await migrate(fixed)
  await t.resolves(read())
  t.same(await missing(migrationsAnd(t, early, late)), [], 'the new version has both')
})

t.test('a migration that is missing in between is named', async (t) => {
  const database = await openDatabase(await testDatabaseUrl(t))
  t.teardown(() => database.close())
  t.same(await database.missingMigrations(), [])
  const forget = (which: number) =>
    database.db.execute(sql`delete from drizzle.__drizzle_migrations where id = ${which}`)
  const names = tags()
  await forget(5)
  t.same(await database.missingMigrations(), [names[4]])
  const hashes = readMigrations(migrations).map(({ hash }) => hash)
  const repeated = hashes.findLastIndex((hash, n) => hashes.indexOf(hash) < n)
  t.ok(repeated > 0, 'two migrations have the same text')
  await forget(repeated + 1)
  t.same(await database.missingMigrations(), [names[4], names[repeated]])
})
