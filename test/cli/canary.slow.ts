import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Database } from '../../db/client.ts'
import { users } from '../../db/schema/users.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { createRole } from '../../src/domain/access/roles.ts'
import { createFlag } from '../../src/domain/flags/flags.ts'
import {
  anonymous,
  aRole,
  aUser,
  onPglite,
  operator,
  servicesOf,
  password as theirs,
  passwords,
  testDatabaseUrl
} from '../support/app.ts'
import { portal } from './run.ts'
import { aServerRole } from './server-role.ts'
import { signIn } from '../support/sign-in.ts'

// A unique text in all input and data of commands.
const canary = randomBytes(9).toString('hex')
const password = `first ${canary} password`
const email = `${canary}@example.com`
const hash = await passwords.hash(password)
const secretKeys = `k1:${randomBytes(32).toString('base64url')}`
const flag = {
  key: 'new-checkout',
  type: 'string' as const,
  description: canary,
  variants: { on: canary, off: 'off' },
  defaultVariant: 'on',
  offVariant: 'off'
}
const newUser = {
  email: `new-${email}`,
  name: canary,
  passwordHash: hash,
  profile: { bio: canary }
}

const url = await testDatabaseUrl(t)
const { user, session, role } = await withDatabase(async (database) => {
  const user = await aUser(database, email)
  const role = await aRole(database)
  // So that the commands about second factors have something to do.
  await createRole(database.db, operator, { key: 'strict', name: 'x', requiresSecondFactor: true })
  await grantRole(database.db, operator, { userId: user.id, role: 'strict' })
  await createFlag(database.db, operator, { ...flag, key: 'canary' })
  const signedIn = await signIn(servicesOf(database), anonymous, {
    email,
    password: theirs,
    presented: []
  })
  await database.db.update(users).set({ secondFactor: true }).where(eq(users.id, user.id))
  return { user, session: signedIn.session.id, role }
})

async function withDatabase<T>(work: (database: Database) => Promise<T>) {
  const database = await openDatabase(url)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Every command that changes something, with the canary in every argument. */
const changes: [args: string[], input?: string][] = [
  [
    ['admin', 'create', '--email', `new-${email}`, '--name', canary, '--password-file', '-'],
    password
  ],
  [
    ['user', 'create', '--email', `new-${email}`, '--name', canary, '--password-file', '-'],
    password
  ],
  [['user', 'create', '--email', `new-${email}`, '--name', canary, '--send-link']],
  [['user', 'reset-link', email]],
  [['user', 'enrolment-link', email]],
  [['user', 'reset-second-factor', email]],
  [['user', 'verify-email', email]],
  [['user', 'update', email, '--email', `new-${email}`, '--name', canary]],
  [['user', 'deactivate', email]],
  [['user', 'delete', email, '--yes']],
  [['user', 'set-password', email, '--password-file', '-'], password],
  [['user', 'unthrottle', email]],
  [['user', 'grant', email, 'admin']],
  [['user', 'revoke', email, 'user']],
  [['role', 'create', canary, '--name', canary, '--description', canary]],
  [['role', 'update', role, '--name', canary, '--description', canary]],
  [['role', 'grant', role, 'users:read']],
  [['role', 'delete', role, '--yes']],
  [['permission', 'create', `c${canary}:read`, '--description', canary]],
  [['flag', 'create', '--file', '-'], JSON.stringify(flag)],
  [['flag', 'update', 'canary', '--file', '-'], JSON.stringify({ description: `more ${canary}` })],
  [['flag', 'disable', 'canary']],
  [['flag', 'delete', 'canary', '--yes']],
  [['session', 'revoke', session]],
  [['session', 'revoke', '--user', email, '--yes']],
  [['import', 'users', '-'], JSON.stringify(newUser)],
  [['export', 'users', '--with-password-hashes']],
  [['refresh']]
]
/** Every command that reads text written by people. */
const reads = [
  ['user', 'list', '--q', canary],
  ['user', 'list', '--all', '--json'],
  ['user', 'show', email],
  ['user', 'show', user.id],
  ['session', 'list', '--user', email],
  ['session', 'list'],
  ['activity', 'list', '--actor', email],
  ['activity', 'list', '--target', canary],
  ['flag', 'list'],
  ['flag', 'show', canary],
  ['export', 'users'],
  ['role', 'show', canary]
]

const tables = [
  'users',
  'user_roles',
  'roles',
  'role_permissions',
  'permissions',
  'feature_flags',
  'sessions',
  'throttle',
  'tokens',
  'activity'
].map((name) => sql.identifier(name))

/** Runs a command that must fail, and returns what it printed. */
async function failure(t: Test, databaseUrl: string, args: string[], input = '') {
  const env = { DATABASE_URL: databaseUrl, BCRYPT_COST: '10', SECRET_KEYS: secretKeys }
  const result = await portal(args, { env, input })
  const what = args.slice(0, 2).join(' ')
  t.equal(result.code, 1, what)
  const printed = result.stdout + result.stderr
  for (const secret of [canary, hash, '$2b$', 'params:']) {
    t.notOk(
      printed.includes(secret),
      `${what} does not print ${secret === canary ? 'the canary' : secret}`
    )
  }
  return printed
}

if (!onPglite) {
  t.test('a command without privileges fails without printing values of a statement', async (t) => {
    const readers = await aServerRole(t, url, sql`all tables in schema public, drizzle`)
    for (const [args, input] of changes) {
      t.match(await failure(t, readers, args, input), 'lacks a privilege')
    }
  })

  t.test(
    'a command that may not read fails without printing the values it searched for',
    async (t) => {
      const strangers = await aServerRole(t, url, sql`permissions, drizzle.__drizzle_migrations`)
      for (const args of reads) t.match(await failure(t, strangers, args), 'lacks a privilege')
    }
  )
}

t.test('error details about a row of the database are not printed', async (t) => {
  await withDatabase(async ({ db }) => {
    await db.execute(sql`create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'refused: % %', to_jsonb(old), to_jsonb(new);
    end $$`)
    for (const table of tables) {
      await db.execute(sql`create trigger refuse before insert or update or delete on ${table}
        for each row execute function refuse()`)
    }
  })
  for (const [args, input] of changes) {
    if (args[1] === 'unthrottle') continue // without counted attempts it writes nothing
    t.match(await failure(t, url, args, input), /rejected a statement \(SQLSTATE P0001\)/)
  }
})
