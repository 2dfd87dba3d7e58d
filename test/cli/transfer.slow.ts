import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { desc, eq } from 'drizzle-orm'
import { openDatabase } from '../../db/client.ts'
import { uuidForm } from '../../db/schema/columns.ts'
import { activity } from '../../db/schema/activity.ts'
import { password, passwords, temporaryFolder, ownApp, testDatabaseUrl } from '../support/app.ts'
import { built } from '../support/root.ts'
import { portal } from './run.ts'

const folder = temporaryFolder(t)
const lines = (...users: unknown[]) =>
  users.map((user) => (typeof user === 'string' ? user : JSON.stringify(user))).join('\n') + '\n'
const file = (name: string, text: string) => {
  writeFileSync(path.join(folder, name), text)
  return path.join(folder, name)
}

t.test(
  'users are imported once with their data, and sign in with their existing password',
  async (t) => {
    const url = await testDatabaseUrl(t)
    const env = { DATABASE_URL: url }
    const passwordHash = (await passwords.hash(password)).replace('$2b$', '$2a$')
    const users = file(
      'few.ndjson',
      '\uFEFF' +
        lines(
          {
            email: 'Ada@Example.com',
            name: ' Ada Lovelace ',
            passwordHash,
            theme: 'dark',
            profile: { locale: 'en-gb' },
            roles: ['admin'],
            emailVerified: true,
            createdAt: '2020-02-03T04:05:06.789Z'
          },
          '',
          {
            email: 'grace@example.com',
            name: 'Grace',
            status: 'deactivated',
            emailVerified: false
          },
          { email: 'ADA@example.com', name: 'Somebody else' }
        )
    )
    const dry = await portal(['import', 'users', users, '--dry-run', '--json'], { env })
    t.equal(dry.code, 1, 'a line repeats the address of another one')
    const summary = {
      created: 2,
      skipped: 0,
      unproved: 0,
      bad: 1,
      withoutPassword: 1,
      secondFactorsLeftOut: 0,
      leftOut: {}
    }
    t.same(JSON.parse(dry.stdout), summary)
    t.match(dry.stderr, 'line 4: Has the address of line 1.')
    t.match(dry.stderr, 'would import 2, skipped 0 existing, rejected 1')
    const real = await portal(['import', 'users', users, '--json'], { env })
    t.same(JSON.parse(real.stdout), summary, 'the dry run had changed nothing')
    const again = await portal(['import', 'users', '-', '--json'], {
      env,
      input: lines(
        { email: 'ada@example.com', name: 'x' },
        { email: 'grace@example.com', name: 'x' }
      )
    })
    t.same(JSON.parse(again.stdout), {
      created: 0,
      skipped: 2,
      unproved: 0,
      bad: 0,
      withoutPassword: 0,
      secondFactorsLeftOut: 0,
      leftOut: {}
    })

    const exported = await portal(['export', 'users'], { env })
    const [{ id, ...ada }, grace] = exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    t.same(ada, {
      email: 'Ada@Example.com',
      name: 'Ada Lovelace',
      theme: 'dark',
      status: 'active',
      roles: ['admin', 'user'],
      profile: { locale: 'en-GB' },
      createdAt: '2020-02-03T04:05:06.789Z',
      emailVerified: true
    })
    t.match(id, uuidForm)
    t.notOk('emailVerified' in grace)
    t.match(grace, { email: 'grace@example.com', status: 'deactivated', roles: ['user'] })
    t.notMatch(exported.stdout, /\$2/)
    t.match(exported.stderr, 'exported 2')

    const withHashes = await portal(['export', 'users', '--with-password-hashes'], { env })
    t.equal(JSON.parse(withHashes.stdout.split('\n')[0] ?? '').passwordHash, passwordHash)

    const database = await openDatabase(url)
    const app = await ownApp(t, {}, database)
    const [record] = await database.db
      .select()
      .from(activity)
      .where(eq(activity.action, 'users.export'))
    t.match(record, { actorType: 'cli', details: { count: 2 } })
    t.match(
      (
        await database.db
          .select()
          .from(activity)
          .where(eq(activity.action, 'user.create'))
          .orderBy(desc(activity.at), desc(activity.id))
      )
        .map((row) => [row.details.email, row.details.grantedRoles])
        .sort(),
      [
        ['Ada@Example.com', ['admin']],
        ['grace@example.com', undefined]
      ]
    )
    t.equal(
      (
        await app.inject({
          method: 'POST',
          url: '/api/auth/login',
          payload: { email: 'ada@example.com', password }
        })
      ).statusCode,
      200
    )
    t.equal(
      (
        await app.inject({
          method: 'POST',
          url: '/api/auth/login',
          payload: { email: 'grace@example.com', password }
        })
      ).statusCode,
      401
    )
  }
)

t.test(
  'an export with password hashes is recorded even if its output is not read to the end',
  async (t) => {
    const url = await testDatabaseUrl(t)
    const env = { DATABASE_URL: url }
    await portal(['import', 'users', '-'], {
      env,
      input: lines(
        ...Array.from({ length: 3000 }, (_, n) => ({
          email: `user${n}@example.com`,
          name: 'A name that fills the pipe '.repeat(2)
        }))
      )
    })
    const command = `'${process.execPath}' src/cli.js export users --with-password-hashes | head -1`
    const { stdout } = spawnSync('sh', ['-c', command], {
      cwd: built,
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8'
    })
    t.match(JSON.parse(stdout), { email: /^user\d+@example\.com$/ })
    const database = await openDatabase(url)
    t.teardown(() => database.close())
    t.match(await database.db.select().from(activity).where(eq(activity.action, 'users.export')), [
      { actorType: 'cli', details: { count: 3000 } }
    ])
  }
)

t.test('import accepts the output of export', async (t) => {
  const [from, to] = [
    { DATABASE_URL: await testDatabaseUrl(t) },
    { DATABASE_URL: await testDatabaseUrl(t) }
  ]
  const users = Array.from({ length: 1203 }, (_, n) => ({
    email: `user${n}@example.com`,
    name: `User ${n}`,
    ...(n % 3 === 0 && { profile: { bio: `Bio ${n}` } }),
    ...(n % 2 === 0 && { emailVerified: true })
  }))
  t.equal((await portal(['import', 'users', '-'], { env: from, input: lines(...users) })).code, 0)
  const first = await portal(['export', 'users', '--with-password-hashes'], { env: from })
  t.same(
    JSON.parse(
      (await portal(['import', 'users', '-', '--json'], { env: to, input: first.stdout })).stdout
    ),
    {
      created: 1203,
      skipped: 0,
      unproved: 0,
      bad: 0,
      withoutPassword: 1203,
      secondFactorsLeftOut: 0,
      leftOut: {}
    }
  )
  const sorted = (text: string) => text.trim().split('\n').sort()
  t.same(
    sorted((await portal(['export', 'users', '--with-password-hashes'], { env: to })).stdout),
    sorted(first.stdout)
  )
})

t.test('invalid lines are reported by number, and valid ones are imported', async (t) => {
  const env = { DATABASE_URL: await testDatabaseUrl(t) }
  const good = (n: number) => ({ email: `good${n}@example.com`, name: `Good ${n}` })
  const result = await portal(['import', 'users', '-', '--json'], {
    env,
    input: lines(
      good(1),
      'not json',
      { email: 'bad' },
      { ...good(2), passwordHash: '$2b$16$' + 'a'.repeat(53) },
      { ...good(3), roles: ['nobody-has-it'] },
      { ...good(4), createdAt: '2199-01-01T00:00:00Z' },
      { ...good(5), profile: { locale: '!' } },
      { ...good(6), password: 'secret' },
      { ...good(7), email: 'no address' },
      { ...good(8), name: 'a\0b' },
      good(9)
    )
  })
  t.equal(result.code, 1)
  t.same(JSON.parse(result.stdout), {
    created: 2,
    skipped: 0,
    unproved: 0,
    bad: 9,
    withoutPassword: 2,
    secondFactorsLeftOut: 0,
    leftOut: {}
  })
  t.same(
    result.stderr
      .split('\n')
      .flatMap((line) => /^line (\d+): /.exec(line)?.[1] ?? [])
      .map(Number),
    [2, 3, 4, 5, 6, 7, 8, 9, 10]
  )
  t.match(result.stderr, /^line 5: .*roles\/0: There is no role with this key/m)
  t.notMatch(result.stderr, /secret|aaaa/)
  t.equal((await portal(['export', 'users'], { env })).stdout.trim().split('\n').length, 2)
})

t.test('an unreadable file is reported, and a closed pipe ends an export', async (t) => {
  const env = { DATABASE_URL: await testDatabaseUrl(t) }
  const missing = await portal(['import', 'users', path.join(folder, 'missing')], { env })
  t.equal(missing.code, 2)
  t.match(missing.stderr, 'cannot be read')
  t.equal((await portal(['import', 'users', '/dev/null'], { env })).code, 0)
})

t.test('an import shows its progress on a terminal', async (t) => {
  const env = { DATABASE_URL: await testDatabaseUrl(t) }
  const users = file(
    'many.ndjson',
    lines(...Array.from({ length: 2500 }, (_, n) => ({ email: `user${n}@example.com`, name: 'x' })))
  )
  const result = await portal(['import', 'users', users], { env, terminal: true })
  t.equal(result.code, 0)
  t.match(result.stdout, /importing: \d+ %, 1000 users, \d+ s left/)
  t.match(result.stdout, 'imported 2500')
})
