// Also on PGlite.

import { sql } from 'drizzle-orm'
import t from 'tap'
import { permissions } from '../../db/schema/roles.ts'
import { users } from '../../db/schema/users.ts'
import { aUser, onPglite, until } from '../support/app.ts'
import { aPlace, migrationsIn, orders } from './own-migrations.ts'

const notes = 'CREATE TABLE "app"."notes" ("id" uuid);'
const note = 'INSERT INTO "app"."notes" VALUES (gen_random_uuid());'
const reach = (returns: string, result: string) =>
  `CREATE FUNCTION "app"."reach"() RETURNS ${returns} LANGUAGE plpgsql AS $$ begin
    insert into permissions (key) values ('orders:read'); return ${result}; end $$;`

/** Statements whose effect outside of the schema is hidden, and what the error names. */
const hidden: [statements: string[], named: string][] = [
  [
    [
      'CREATE TEMP VIEW "pg_class" AS SELECT * FROM "pg_catalog"."pg_class" WHERE false;',
      'CREATE TABLE "public"."shadowed" ();'
    ],
    'creates table shadowed'
  ],
  [
    [
      reach('trigger', 'null'),
      `CREATE CONSTRAINT TRIGGER "late" AFTER INSERT ON "app"."notes" DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION "app"."reach"();`,
      note
    ],
    'changes rows of table permissions'
  ],
  [
    ['ALTER DEFAULT PRIVILEGES IN SCHEMA "public" GRANT SELECT ON TABLES TO PUBLIC;'],
    'default privileges'
  ],
  [
    [
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = app', current_database()); END $$;`
    ],
    'setting of a role or a database'
  ],
  [['CREATE TABLE "app"."copies" ("row" "users");'], 'table app.copies, which needs type users'],
  [['CREATE TABLE "app"."copies" ("rows" "users"[]);'], 'table app.copies, which needs type users'],
  [[`COMMENT ON TABLE "users" IS 'Customers';`], 'comment on table users'],
  [['CREATE STATISTICS "public"."s" ON "name", "email" FROM "users";'], 'statistics object s'],
  [['CREATE PUBLICATION "all_users" FOR TABLE "users";'], 'publication all_users'],
  [['CREATE ROLE "portal_test_escaped";'], 'creates role portal_test_escaped'],
  [[`CREATE COLLATION "public"."c" (locale = 'C');`], 'collation c']
]

t.test('a migration of an app that hides what it does outside is refused by name', async (t) => {
  const { migrate, tables } = await aPlace(t)
  const wrong: string[] = []
  for (const [statements, named] of hidden) {
    const texts = { '0000_orders': orders, '0001_reach': [notes, ...statements] }
    const folder = migrationsIn(t, texts, 1_700_000_000_000 + wrong.length)
    const outcome = await migrate(folder).then(
      () => 'applied',
      (error: Error) => error.message
    )
    if (!outcome.includes(named)) wrong.push(`${statements.join(' ')}: ${outcome}`)
  }
  t.same(wrong, [])
  t.same(await tables(), ['orders'], 'nothing of them was kept')
})

t.test('what a migration leaves in its session ends with it', async (t) => {
  const { migrate, portal, tables } = await aPlace(t)
  await aUser(portal)
  const before = await portal.db.$count(permissions)
  const left = [
    reach('int', '1'),
    'DECLARE "late" CURSOR WITH HOLD FOR SELECT "app"."reach"();',
    'CREATE TEMP TABLE "users" ("id" uuid);',
    'INSERT INTO "users" VALUES (gen_random_uuid()), (gen_random_uuid());'
  ]
  await migrate(migrationsIn(t, { '0000_orders': [...orders, ...left] }))
  t.same(await tables(), ['orders'])
  t.equal(await portal.db.$count(users), 1)
  t.equal(await portal.db.$count(permissions), before, 'no query runs when it is committed')
})

t.test(
  'what another session does during a migration of an app is not held against it',
  async (t) => {
    const { migrate, portal, tables } = await aPlace(t)
    if (onPglite) return t.pass('there is no other session')
    const waiting = `DO $$ BEGIN WHILE NOT EXISTS (SELECT 1 FROM pg_class WHERE relname = 'of_others')
    LOOP PERFORM pg_sleep(0.01); END LOOP; END $$;`
    const migrated = migrate(migrationsIn(t, { '0000_orders': [...orders, waiting] }))
    const isWaiting = async () =>
      (await portal.db.$count(
        sql`pg_stat_activity`,
        sql`datname = current_database() and state = 'active' and pid <> pg_backend_pid()
        and query like '%of_others%'`
      )) > 0
    await until(isWaiting)
    await portal.db.execute(sql`create table of_others ()`)
    await migrated
    t.same(await tables(), ['orders'])
  }
)
