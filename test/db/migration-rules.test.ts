import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { migrations, nextMigrations, tags } from './journal.ts'

// Instances of the previous version read and write while a migration runs, and after it. The rules
// are about tables that exist before it: nobody uses a new one. They know what drizzle-kit writes
// and what people write by hand. `npm run check -- migrations` tries the rest.

/** Tables with few rows, whatever the number of users. */
const small = ['epochs', 'roles', 'permissions', 'role_permissions', 'feature_flags', 'jobs']

/** A group called `table` limits a rule to existing tables. */
const rules: [statement: RegExp, message: string, unless?: RegExp][] = [
  [
    /^create (?:unique )?index (?!concurrently).* on "?(?<table>\w+)/,
    'declare the index with .concurrently(), and generate its migration separately'
  ],
  [/^drop index (?!concurrently)/, 'drop it CONCURRENTLY, in a migration of its own'],
  [/^reindex (?!.*concurrently)/, 'REINDEX needs CONCURRENTLY'],
  [
    /^alter table (?:only )?"?(?<table>\w+)"? .*\badd (?:constraint|check|foreign key|unique|primary key|exclude)\b/,
    'add NOT VALID, and validate in the next migration',
    /not valid$|using index/
  ],
  [
    /^alter table (?:only )?"?(?<table>\w+)"? .*\balter (?:column )?"?\w+"? (?:set not null|(?:set data )?type )/,
    'the table would be read or written completely while it is locked: add a CHECK or a new column'
  ],
  [
    /^alter table (?:only )?"?(?<table>\w+)"? .*\badd column (?!.*\bdefault\b).*\bnot null\b/,
    'inserts of the previous version leave the column out: give it a default, or allow null'
  ],
  [
    /^alter table (?:only )?"?(?<table>\w+)"? .*\badd column .*(?:\brandom\(|\bgen_random_uuid\(|\bclock_timestamp\(|\bnextval\(|\bgenerated\b|serial\b|\bunique\b|\breferences\b|\bcheck\b)/,
    'the table would be written or read completely while it is locked: add a plain column first'
  ],
  [
    /^alter table (?:only )?"?(?<table>\w+)"? .*\b(?:drop (?!constraint|default|not null)|rename )|^drop table|^alter table .* rename/,
    'the previous version may use it: remove it from the code in one version and from the database ' +
      'in the next, whose migration has the comment "-- Unused since VERSION"'
  ],
  [
    new RegExp(`^(?:update|delete from) (?:only )?"?(?!(?:${small.join('|')})\\b)(?<table>\\w+)`),
    'the rows stay locked until the end of the migration: change them in batches from the code'
  ],
  [/^(?:truncate|cluster|vacuum|lock|merge)\b/, 'the whole table would be locked'],
  [/ set (?:tablespace|logged|unlogged|access method)/, 'the whole table would be written']
]

/** Lists the faults of a migration. */
function faultsOf(text: string) {
  const isUnused = /^-- Unused since \S/m.test(text)
  const statements = text
    .replace(/--.*$/gm, '')
    .split(';')
    .map((each) => each.replace(/\s+/g, ' ').replaceAll('"public".', '').trim().toLowerCase())
  const created = new Set(
    statements.map((each) => /^create table (?:if not exists )?"?(\w+)/.exec(each)?.[1])
  )
  const faults = statements.flatMap((statement) =>
    rules.flatMap(([pattern, message, unless]) => {
      const found = pattern.exec(statement)
      const table = found?.groups?.table
      if (!found || (table && created.has(table)) || unless?.test(statement)) return []
      if (isUnused && message.includes('Unused since')) return []
      return [`${statement}: ${message}`]
    })
  )
  const validates = statements.some((each) => each.includes('validate constraint'))
  if (validates && statements.some((each) => each.includes('add constraint'))) {
    faults.push('validate in another migration: this one keeps the table locked')
  }
  return faults
}

for (const tag of tags()) {
  t.test(`${tag} neither blocks nor breaks the previous version`, async (t) => {
    t.same(faultsOf(readFileSync(path.join(migrations, `${tag}.sql`), 'utf8')), [])
  })
}

t.test('statements that block or break the previous version are found', async (t) => {
  for (const statement of [
    'CREATE INDEX "a" ON "users" USING btree ("name");',
    'CREATE UNIQUE INDEX a ON users (name);',
    'DROP INDEX "a";',
    'REINDEX TABLE users;',
    'ALTER TABLE "users" ADD CONSTRAINT "c" CHECK ("name" <> \'\');',
    'ALTER TABLE "tokens" ADD CONSTRAINT "f" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id");',
    'ALTER TABLE "users" ALTER COLUMN "name" SET NOT NULL;',
    'ALTER TABLE "users" ALTER COLUMN "name" SET DATA TYPE varchar(80);',
    'ALTER TABLE users ALTER name TYPE varchar(80);',
    'ALTER TABLE "users" ADD COLUMN "a" text NOT NULL;',
    'ALTER TABLE "users" ADD COLUMN "a" uuid DEFAULT gen_random_uuid() NOT NULL;',
    'ALTER TABLE "users" ADD COLUMN "a" text GENERATED ALWAYS AS (lower("name")) STORED;',
    'ALTER TABLE "users" ADD COLUMN "a" uuid REFERENCES "roles"("id");',
    'ALTER TABLE "users" DROP COLUMN "bio";',
    'ALTER TABLE "users" RENAME COLUMN "bio" TO "about";',
    'ALTER TABLE "users" RENAME TO "people";',
    'DROP TABLE "tokens";',
    '-- A comment.\nUPDATE "users" SET "name" = "email";',
    'DELETE FROM sessions WHERE revoked_at IS NOT NULL;',
    'TRUNCATE throttle;',
    'LOCK TABLE users;',
    'VACUUM FULL users;',
    'ALTER TABLE users SET LOGGED;',
    'CREATE TABLE "a" ("id" uuid);--> statement-breakpoint\nCREATE INDEX "b" ON "users" ("name");'
  ]) {
    t.equal(faultsOf(statement).length, 1, statement)
  }
  const both =
    'ALTER TABLE users ADD CONSTRAINT c CHECK (true) NOT VALID;\nALTER TABLE users VALIDATE CONSTRAINT c;'
  t.equal(faultsOf(both).length, 1, both)
})

t.test('statements that do neither are allowed', async (t) => {
  for (const text of [
    ...nextMigrations.map((statements) => statements.join('\n')),
    'CREATE INDEX CONCURRENTLY "a" ON "users" USING btree ("name");',
    'CREATE TABLE "a" ("id" uuid);\nCREATE INDEX "b" ON "a" ("id");\nALTER TABLE "a" ADD CONSTRAINT "c" FOREIGN KEY ("id") REFERENCES "users"("id");',
    'ALTER TABLE "users" ADD CONSTRAINT "c" CHECK ("name" <> \'\') NOT VALID;',
    'ALTER TABLE "users" VALIDATE CONSTRAINT "c";',
    'ALTER TABLE "users" DROP CONSTRAINT "c";',
    'ALTER TABLE "users" ADD COLUMN "a" text;',
    'ALTER TABLE "users" ADD COLUMN "a" text DEFAULT \'x\' NOT NULL;',
    'ALTER TABLE "users" ALTER COLUMN "name" SET DEFAULT \'x\';',
    'ALTER TABLE "users" ALTER COLUMN "name" DROP NOT NULL;',
    'ALTER TABLE "users" SET (fillfactor = 85);',
    'UPDATE "roles" SET "name" = \'x\';',
    'DROP INDEX CONCURRENTLY "a";',
    '-- Unused since 0.2.0.\nALTER TABLE "users" DROP COLUMN "bio";'
  ]) {
    t.same(faultsOf(text), [], text)
  }
})
