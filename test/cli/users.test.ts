import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import {
  activityOf,
  password,
  passwords,
  temporaryFolder,
  testDatabaseUrl
} from '../support/app.ts'
import { runner, visitor } from './run.ts'

const folder = temporaryFolder(t)
const url = await testDatabaseUrl(t)
const env = { DATABASE_URL: url, BCRYPT_COST: '10' }
const { run, ok, json } = runner(env)
const inDatabase = visitor(url)

t.test(
  'an administrator is created with a password from stdin, and the record names the command line',
  async (t) => {
    const made = json(
      await ok(t, 'admin create --email ops@example.com --password-file - --json', {
        input: `${password}\n`
      })
    )
    t.match(made, { email: 'ops@example.com', roles: ['admin', 'user'], name: 'Administrator' })
    t.notOk('passwordHash' in made || 'version' in made)
    await inDatabase(async (database) => {
      t.match(await activityOf(database, made.id), [
        {
          action: 'user.create',
          actorType: 'cli',
          source: 'cli',
          actorLabel: /./,
          details: { email: 'ops@example.com', role: 'admin' }
        }
      ])
    })
    const again = await run('admin create --email OPS@example.com --password-file -', {
      input: `${password}\n`
    })
    t.equal(again.code, 4)
    t.match(again.stderr, /already exists\. See it with portal user show EMAIL, or use another/)
  }
)

t.test('a user is created, shown, updated, deactivated, reactivated and deleted', async (t) => {
  const file = path.join(folder, 'password')
  writeFileSync(file, `${password}\nand no more\n`)
  const { id } = json(
    await ok(
      t,
      `user create --email ada@example.com --name Ada_Lovelace --password-file ${file} --json`
    )
  )
  t.match((await ok(t, 'user show ada@example.com')).stdout, /^email +ada@example\.com$/m)
  t.match(json(await ok(t, `user update ${id} --name Ada_King --theme dark --json`)), {
    name: 'Ada King',
    theme: 'dark'
  })
  t.match(
    json(
      await ok(
        t,
        'user update ada@example.com --time-zone Europe/London --bio Wrote_programs --json'
      )
    ),
    {
      profile: { timeZone: 'Europe/London', bio: 'Wrote programs' }
    }
  )
  t.match(json(await ok(t, 'user update ada@example.com --bio  --json')), {
    profile: { timeZone: 'Europe/London', bio: null }
  })
  t.match(json(await ok(t, 'user deactivate ada@example.com --json')), { status: 'deactivated' })
  t.match(json(await ok(t, 'user reactivate ada@example.com --json')), { status: 'active' })
  t.match(json(await ok(t, 'user grant ada@example.com admin --json')), {
    id,
    roles: ['admin', 'user']
  })
  t.same(
    json(await ok(t, 'user list --role admin --sort email --json')).map(
      (user: { email: string }) => user.email
    ),
    ['ada@example.com', 'ops@example.com']
  )
  await ok(t, 'user revoke ada@example.com admin')
  await ok(t, 'user set-password ada@example.com --password-file -', {
    input: 'a better horse battery'
  })
  await inDatabase(async ({ db }) => {
    const [row] = await db
      .select({ passwordHash: users.passwordHash })
      .from(users)
      .where(eq(users.id, id))
    t.equal(await passwords.verify('a better horse battery', row?.passwordHash), true)
  })
  const refused = await run('user delete ada@example.com')
  t.equal(refused.code, 2)
  t.match(refused.stderr, /add --yes/)
  t.same(json(await ok(t, 'user delete ada@example.com --yes --json')), { deleted: id })
  const missing = await run('user show ada@example.com')
  t.equal(missing.code, 3)
  t.match(
    missing.stderr,
    'No such user. Find the id or the address with: portal user list --q TEXT'
  )
  t.match((await run(`user show ${id}`)).stderr, /^No such user\./)
  t.equal(missing.stdout, '')
})

t.test('input is validated as the API validates it', async (t) => {
  for (const [args, says] of [
    ['user create --email nonsense --name x --no-password', 'email: Must be an e-mail address'],
    ['user update ops@example.com', 'Must change at least one of'],
    ['user update ops@example.com --theme pink', 'Allowed choices are light, dark, system'],
    [`user update ops@example.com --name ${'x'.repeat(257)}`, 'name: At most 80 characters'],
    ['role create Not-A-Key --name x', 'key: Must look like support-agent'],
    ['permission create nonsense', 'key: Must look like invoices:read']
  ] as const) {
    const result = await run(args)
    t.equal(result.code, 2, args)
    t.match(result.stderr, says)
  }
})

t.test('the command line does not remove the last administrator', async (t) => {
  const result = await run('user deactivate ops@example.com')
  t.equal(result.code, 4)
  t.match(result.stderr, 'the last administrator')
})

t.test('what is kept about a user is printed as JSON, and recorded', async (t) => {
  const { id } = json(
    await ok(t, 'user create --email export@example.com --name Export --no-password --json')
  )
  const printed = json(await ok(t, 'user export export@example.com'))
  t.match(printed, {
    account: { id, email: 'export@example.com' },
    sessions: [],
    activity: [{ action: 'user.export', actorType: 'cli', actorLabel: null, targetId: id }, {}]
  })
  const unknown = await run('user export nobody@example.com')
  t.equal(unknown.code, 3)
  t.equal(unknown.stdout, '')
})

t.test('an account whose deletion is planned is shown, and restored', async (t) => {
  const { id } = json(
    await ok(t, 'user create --email grace@example.com --name Grace --password-file - --json', {
      input: `${password}\n`
    })
  )
  const refused = await run('user restore grace@example.com')
  t.equal(refused.code, 2)
  t.match(refused.stderr, /^No deletion of grace@example\.com is planned\./)
  await inDatabase(async ({ db }) => {
    const deleteAt = new Date('2100-01-02T03:04:05.000Z')
    await db.update(users).set({ status: 'deactivated', deleteAt }).where(eq(users.id, id))
  })
  t.match((await ok(t, 'user show grace@example.com')).stdout, /^deletion +2100-01-02T03:04/m)
  t.match(json(await ok(t, 'user restore grace@example.com --json')), {
    status: 'active',
    deleteAt: null
  })
  await inDatabase(async (database) => {
    t.match(await activityOf(database, id), [
      { action: 'user.deletion-cancel', actorType: 'cli', source: 'cli' }
    ])
  })
})
