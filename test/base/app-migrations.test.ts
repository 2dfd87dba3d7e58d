// Also on PGlite.

import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { withMigrations } from '../../src/base/migrations.ts'
import { migrationsAnd } from '../db/journal.ts'
import { aUser } from '../support/app.ts'
import { aPlace, migrationsIn, orders, outcomeOf, portals } from './own-migrations.ts'
import type { Texts } from './own-migrations.ts'

const notes = 'CREATE TABLE "app"."notes" ("id" uuid PRIMARY KEY NOT NULL, "text" text NOT NULL);'

t.test('migrations of an app are applied after those of the portal, each once', async (t) => {
  const { migrate, missing, portal, tables } = await aPlace(t)
  const folder = migrationsIn(t, { '0000_orders': orders, '0001_notes': notes })
  t.same(await missing(folder), ['app/0000_orders', 'app/0001_notes'])
  t.same(await portal.missingMigrations(), [], 'a portal without the app lacks nothing')
  await migrate(folder)
  t.same(await missing(folder), [])
  t.same(await tables(), ['notes', 'orders'])
  await migrate(folder)
  t.same(await tables(), ['notes', 'orders'])
})

t.test('a first migration of an app waits for the tables of the portal', async (t) => {
  const { portal, migrate } = await aPlace(t)
  await portal.db.execute(sql`drop schema public cascade`)
  await portal.db.execute(sql`drop schema drizzle cascade`)
  await portal.db.execute(sql`create schema public`)
  const folder = migrationsIn(t, { '0000_orders': orders })
  await migrate(folder)
  await t.resolves(
    portal.db.execute(sql`select 1 from app.orders join users on users.id = user_id`)
  )
})

const early = ['ALTER TABLE "users" ADD COLUMN "early" text;']
const late = ['ALTER TABLE "users" ADD COLUMN "late" text;']

for (const [name, when] of [
  ['older', 1],
  ['newer', 9_000_000_000_000]
] as const) {
  t.test(
    `migrations of an app that are ${name} than those of the portal are applied`,
    async (t) => {
      const { db, portalWith } = await portals(t)
      const first = migrationsIn(t, { '0000_orders': orders }, when)
      const both = migrationsIn(t, { '0000_orders': orders, '0001_notes': notes }, when)
      const migrate = (portal: string, app: string) =>
        withMigrations(portalWith(portal), app).migrate(async () => {})
      await migrate(migrationsAnd(t, early), first)
      await migrate(migrationsAnd(t, early, late), first)
      await t.resolves(db.execute(sql`select early, late from users`), 'the portal came later')
      await migrate(migrationsAnd(t, early, late), both)
      await t.resolves(db.execute(sql`select 1 from app.orders, app.notes`), 'the app came later')
      t.same(await withMigrations(portalWith(migrationsAnd(t)), both).missingMigrations(), [])
    }
  )
}

t.test(
  'an instance with an older version of the app lacks nothing, and changes nothing',
  async (t) => {
    const { migrate, missing, tables } = await aPlace(t)
    const texts = { '0000_orders': orders, '0001_notes': notes }
    await migrate(migrationsIn(t, texts))
    const older = migrationsIn(t, { '0000_orders': orders })
    t.same(await missing(older), [])
    await migrate(older)
    t.same(await tables(), ['notes', 'orders'])
    t.same(await missing(migrationsIn(t, texts)), [])
  }
)

t.test('a migration of an app is applied after one that was written later', async (t) => {
  const { migrate, missing, tables } = await aPlace(t)
  const fix = 'CREATE TABLE "app"."fixes" ("id" uuid PRIMARY KEY NOT NULL);'
  await migrate(migrationsIn(t, { '0000_orders': orders, '0001_notes': notes }))
  const fixed = migrationsIn(t, { '0000_orders': orders, '0001_fix': fix }, 1_600_000_000_000)
  t.same(await missing(fixed), ['app/0001_fix'])
  await migrate(fixed)
  t.same(await tables(), ['fixes', 'notes', 'orders'])
})

const trigger =
  'CREATE FUNCTION "app"."ignore"() RETURNS trigger LANGUAGE plpgsql AS $$ begin return new; end $$;'
const permission = `INSERT INTO permissions (key) VALUES ('orders:read');`

/** Statements of a migration that reach outside, and the first thing that the error names. */
const outside: [statements: string | string[], named: string][] = [
  ['ALTER TABLE "users" ADD COLUMN "nickname" text;', 'changes table users'],
  ['ALTER TABLE "users" ALTER COLUMN "name" DROP NOT NULL;', 'changes column name of table users'],
  [
    `ALTER TABLE "users" ALTER COLUMN "theme" SET DEFAULT 'dark';`,
    'default value for column theme'
  ],
  ['ALTER TABLE "users" RENAME COLUMN "name" TO "label";', 'creates column label of table users'],
  ['ALTER TABLE "users" DISABLE TRIGGER ALL;', 'on table users'],
  [
    'ALTER TABLE "users" ADD CONSTRAINT "named" CHECK ("name" <> \'x\');',
    'creates constraint named on table users'
  ],
  ['ALTER TABLE "users" ENABLE ROW LEVEL SECURITY;', 'changes table users'],
  ['CREATE POLICY "all" ON "users" USING (true);', 'creates policy all on table users'],
  ['DROP TABLE "sessions" CASCADE;', 'drops table sessions'],
  ['TRUNCATE "jobs";', 'changes table jobs'],
  ['CREATE INDEX "users_label" ON "users" ("name");', 'creates index users_label'],
  ['DROP INDEX "sessions_user";', 'drops index sessions_user'],
  ['GRANT SELECT ON "users" TO PUBLIC;', 'changes table users'],
  [
    [
      trigger,
      'CREATE TRIGGER "t" BEFORE UPDATE ON "users" FOR EACH ROW EXECUTE FUNCTION "app"."ignore"();'
    ],
    'creates trigger t on table users'
  ],
  ['CREATE RULE "r" AS ON DELETE TO "users" DO INSTEAD NOTHING;', 'creates rule r on table users'],
  ['CREATE TABLE "notes" ("id" uuid);', 'creates table notes'],
  [`CREATE TYPE "public"."state" AS ENUM('open', 'closed');`, 'creates type state'],
  [
    'CREATE FUNCTION "public"."one"() RETURNS int LANGUAGE sql AS $$ select 1 $$;',
    'creates function one()'
  ],
  ['CREATE SCHEMA "shop";', 'creates schema shop'],
  [
    'CREATE VIEW "app"."names" AS SELECT "name" FROM "users";',
    'creates rule _RETURN on view app.names, which needs table users'
  ],
  [
    'CREATE TABLE "app"."customers" () INHERITS ("users");',
    'creates table app.customers, which needs table users'
  ],
  [permission, 'changes rows of table permissions'],
  [
    [permission, `DELETE FROM permissions WHERE key = 'orders:read';`],
    'changes rows of table permissions'
  ],
  ['UPDATE "roles" SET "name" = "name";', 'changes rows of table roles'],
  [
    'DELETE FROM "drizzle"."__drizzle_migrations" WHERE "id" = 3;',
    'changes rows of table drizzle.__drizzle_migrations'
  ],
  [`SET search_path = app, public;`, 'setting search_path'],
  [`SELECT set_config('search_path', '', false);`, 'setting search_path']
]

t.test('a migration of an app that reaches outside of its schema is refused by name', async (t) => {
  const { migrate, missing, portal, tables } = await aPlace(t)
  await aUser(portal)
  const wrong: string[] = []
  for (const [statements, named] of outside) {
    const texts: Texts = { '0000_orders': orders, '0001_reach': [notes, statements].flat() }
    const folder = migrationsIn(t, texts)
    const outcome = await outcomeOf(migrate(folder), folder)
    if (!outcome.startsWith('AppError 0001_reach.sql ') || !outcome.includes(named)) {
      wrong.push(`${[statements].flat().join(' ')}: ${outcome}`)
    }
    const left = await missing(folder)
    if (left.join() !== 'app/0001_reach') wrong.push(`${named}: lacks ${left.join()}`)
  }
  t.same(wrong, [])
  t.same(await tables(), ['orders'], 'nothing of them was kept')
  t.same(await portal.missingMigrations(), [])
  t.equal(await portal.db.$count(users), 1)
})

t.test('no statement of a migration leaves its transaction', async (t) => {
  const { migrate, tables } = await aPlace(t)
  for (const ending of [
    'COMMIT;',
    'ROLLBACK;',
    'BEGIN;',
    `${notes} COMMIT; DROP TABLE users;`,
    'DO $$ BEGIN COMMIT; END $$;',
    'CREATE INDEX CONCURRENTLY "orders_by_user" ON "app"."orders" ("user_id");'
  ]) {
    const folder = migrationsIn(t, { '0000_end': [...orders, ending] })
    t.match(await outcomeOf(migrate(folder), folder), /^AppError 0000_end\.sql:\d+: .*transaction/)
    t.same(await tables(), [], ending)
  }
})

t.test('a statement can be several, and have quotes of its own', async (t) => {
  const { migrate, portal, tables } = await aPlace(t)
  const several = `${notes}\nINSERT INTO "app"."notes" VALUES ('${randomUUID()}', 'it''s $$ \\ $b$');\n`
  const block = `DO $$ BEGIN UPDATE "app"."notes" SET "text" = "text" || '!'; END $$;`
  await migrate(
    migrationsIn(t, { '0000_all': ['-- Notes\n', several, block, '\n'], '0001_orders': orders })
  )
  t.same(await tables(), ['notes', 'orders'])
  const [note] = await portal.db.select({ text: sql`text` }).from(sql`app.notes`)
  t.same(note, { text: `it's $$ \\ $b$!` })
})

t.test('a migration that fails halfway is rolled back, and named with its line', async (t) => {
  const { migrate, missing, tables } = await aPlace(t)
  const broken = [notes, 'CREATE TABLE "app"."more" (\n\t"id" uuid,\n\t"kind" "app"."kind"\n);']
  const folder = migrationsIn(t, { '0000_orders': orders, '0001_more': broken })
  t.match(
    await outcomeOf(migrate(folder), folder),
    /^AppError 0001_more\.sql:4: type "app\.kind" does not exist\. Nothing of this migration was kept/
  )
  t.same(await tables(), ['orders'])
  t.same(await missing(folder), ['app/0001_more'])
  const failing = [notes, '\nINSERT INTO "app"."notes" ("id") VALUES (gen_random_uuid());']
  const other = migrationsIn(t, { '0000_orders': orders, '0001_more': failing })
  t.match(
    await outcomeOf(migrate(other), other),
    /^AppError 0001_more\.sql:3: null value in column/
  )
  await migrate(migrationsIn(t, { '0000_orders': orders, '0001_more': notes }))
  t.same(await tables(), ['notes', 'orders'])
})

t.test('a migration that was edited after it was applied is named', async (t) => {
  const { migrate, missing, tables } = await aPlace(t)
  await migrate(migrationsIn(t, { '0000_orders': orders, '0001_notes': notes }))
  const edited = migrationsIn(t, {
    '0000_orders': orders,
    '0001_notes': notes.replace('NOT NULL)', ')'),
    '0002_more': 'CREATE TABLE "app"."more" ("id" uuid);'
  })
  t.same(await missing(edited), ['app/0001_notes', 'app/0002_more'])
  t.match(
    await outcomeOf(migrate(edited), edited),
    /^AppError 0001_notes\.sql was changed after it had been applied\. Restore its text/
  )
  t.same(await tables(), ['notes', 'orders'])
})

t.test('a folder of migrations that cannot be read is an error of the app', async (t) => {
  const { withApp } = await aPlace(t)
  const opened = async (folder: string) => withApp(folder)
  const unlisted = migrationsIn(t, { '0000_orders': orders })
  writeFileSync(path.join(unlisted, '0001_late.sql'), notes)
  t.match(
    await outcomeOf(opened(unlisted), unlisted),
    /^AppError .*: 0001_late\.sql is not in meta/
  )
  const withoutJournal = migrationsIn(t, { '0000_orders': orders })
  rmSync(path.join(withoutJournal, 'meta'), { recursive: true })
  t.match(
    await outcomeOf(opened(withoutJournal), withoutJournal),
    /^AppError .*drizzle-kit generate/
  )
  const incomplete = migrationsIn(t, { '0000_orders': orders, '0001_notes': notes })
  rmSync(path.join(incomplete, '0000_orders.sql'))
  t.match(await outcomeOf(opened(incomplete), incomplete), /^AppError .*0000_orders\.sql/)
  const empty = migrationsIn(t, {})
  t.equal(await outcomeOf(opened(empty), empty), '')
})
