import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { aUser, onPglite, testDatabaseUrl } from '../support/app.ts'
import { portal } from './run.ts'
import { aServerRole } from './server-role.ts'

const email = 'grace@example.com'
const secretKeys = `k1:${randomBytes(32).toString('base64url')}`
const url = await testDatabaseUrl(t)
const database = await openDatabase(url)
await aUser(database, email)
await database.close()

const run = (databaseUrl: string, args: string) =>
  portal(args.split(' '), {
    env: { DATABASE_URL: databaseUrl, BCRYPT_COST: '10', SECRET_KEYS: secretKeys }
  })

/** A statement, a stack, or the name of an error class. */
const internals = /\b(select|insert|update|delete) .*\b(from|into|set)\b|^\s+at |Error\b|"\w+"\./im

if (!onPglite) {
  t.test('a command whose role lacks a privilege says which, and how to grant it', async (t) => {
    const reader = await aServerRole(t, url, sql`all tables in schema public, drizzle`)
    const stranger = await aServerRole(t, url, sql`permissions, drizzle.__drizzle_migrations`)
    for (const [role, args, table] of [
      [reader, `user deactivate ${email}`, 'users'],
      [reader, `user grant ${email} admin`, ''],
      [reader, 'role create support --name x', 'roles'],
      [reader, 'refresh', 'activity'],
      [stranger, 'user list', 'roles'],
      [stranger, 'activity list', 'roles'],
      [stranger, 'overview', 'roles']
    ] as const) {
      const { code, stdout, stderr } = await run(role, args)
      t.equal(code, 1, args)
      t.equal(stdout, '', args)
      t.match(
        stderr,
        new RegExp(`lacks a privilege: permission denied for table ${table}.*portal doctor`),
        args
      )
      t.notMatch(stderr, internals, args)
      t.equal(stderr.trimEnd().split('\n').length, 1, `${args}: one line`)
    }
    const { stderr } = await run(stranger, 'user list --json')
    t.match(JSON.parse(stderr), { error: { code: 'database-rejected', message: /doctor/ } })
  })
}

t.test('a command that the database rejects names the code, and where to look', async (t) => {
  const changed = await openDatabase(url)
  await changed.db.execute(sql`create function refuse() returns trigger language plpgsql as $$ begin
    raise exception 'refused %', new.email; end $$`)
  await changed.db.execute(sql`create trigger refuse before update on users
    for each row execute function refuse()`)
  await changed.db.execute(sql`alter table feature_flags rename column description to purpose`)
  await changed.close()
  const refused = await run(url, `user deactivate ${email}`)
  t.match(refused, { code: 1, stderr: /^The database rejected a statement \(SQLSTATE P0001\)/ })
  t.notMatch(refused.stderr, internals)
  const missing = await run(url, 'flag list')
  t.match(missing, { code: 1, stderr: /lacks a table, a column .*Run portal migrate/ })
  t.notMatch(missing.stderr, internals)
})
