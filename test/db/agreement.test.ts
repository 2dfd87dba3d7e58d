import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import { foreignHashForm, passwordHashForm } from '../../db/schema/users.ts'
import { Email } from '../../src/schemas/emails.ts'
import { FlagKey } from '../../src/schemas/flags.ts'
import { PermissionKey, RoleKey } from '../../src/schemas/roles.ts'
import { Name } from '../../src/schemas/users.ts'
import { onPglite, testDatabase, testDatabaseUrl } from '../support/app.ts'

const folder = path.join(import.meta.dirname, '../../db')
const nothing = generateDrizzleJson({})

async function readSchema() {
  const schema = path.join(folder, 'schema')
  const files = readdirSync(schema).map((name) => path.join(schema, name))
  const modules = await Promise.all(files.map((file) => import(file) as Promise<object>))
  return generateDrizzleJson(Object.assign({}, ...modules) as Record<string, unknown>)
}

t.test('every change of the schema has a migration', async (t) => {
  const meta = path.join(folder, 'migrations/meta')
  const newest = readdirSync(meta)
    .filter((name) => name.endsWith('_snapshot.json'))
    .sort()
    .at(-1)
  const snapshot = JSON.parse(readFileSync(path.join(meta, newest ?? ''), 'utf8')) as typeof nothing
  const schema = await readSchema()
  t.ok((await generateMigration(nothing, schema)).length > 10, 'a difference would be found')
  t.same(await generateMigration(snapshot, schema), [], 'else run: npm run db:generate')
})

t.test('the migrations create what the schema declares, and nothing else', async (t) => {
  const declared = await emptyDatabase(t)
  await declared.execute('create extension pg_trgm')
  for (const statement of await generateMigration(nothing, await readSchema())) {
    await declared.execute(statement.replace(' CONCURRENTLY', ''))
  }
  const expected = await describe(declared)
  t.ok(expected.length > 100, 'columns, indexes and constraints are compared')
  t.same(await describe((await testDatabase(t)).db), expected)
})

t.test('the API takes keys, names and hashes as the CHECKs of the database do', async (t) => {
  const { db } = await testDatabase(t)
  const checks = await describe(db)
  const pattern = (schema: { pattern?: string }) => `'${schema.pattern}'`
  const atMost = (schema: { maxLength?: number }) => `<= ${schema.maxLength}`
  const between = ({ minLength, maxLength }: { minLength?: number; maxLength?: number }) =>
    `>= ${minLength}) AND (char_length(name) <= ${maxLength}`
  for (const [name, ...parts] of [
    ['roles_key_form', pattern(RoleKey)],
    ['roles_key_length', atMost(RoleKey)],
    ['permissions_key_form', pattern(PermissionKey)],
    ['permissions_key_length', atMost(PermissionKey)],
    ['feature_flags_key_form', pattern(FlagKey), atMost(FlagKey)],
    ['users_password_hash', `'${passwordHashForm.source}'`, `'${foreignHashForm.source}'`],
    ['users_name', between(Name.properties.name)],
    ['users_email', atMost(Email.properties.email)]
  ] as const) {
    const check = checks.find((line) => line.includes(` ${name} CHECK `)) ?? ''
    for (const part of parts) t.ok(check.includes(part), `${name} has ${part}`)
  }
})

async function emptyDatabase(t: Test) {
  const database = await openDatabase(onPglite ? 'pglite:memory' : await testDatabaseUrl(t))
  t.teardown(() => database.close())
  if (!onPglite) {
    await database.db.execute('drop schema public cascade')
    await database.db.execute('create schema public')
  }
  return database.db
}

async function describe(db: Db) {
  const rows = await db
    .select({ line: sql<string>`line` })
    .from(
      sql`(
    select format('%s.%s %s not null %s default %s', attrelid::regclass, attname,
      format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid)) as line
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped and attrelid in
      (select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace)
    union all
    select indexdef from pg_indexes where schemaname = 'public'
    union all
    select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0
  ) as lines`
    )
    .orderBy(sql`line`)
  return rows.map(({ line }) => line)
}
