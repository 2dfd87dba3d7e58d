import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { flagEvaluations, flags } from '../../db/schema/flags.ts'
import { systemPermissionKeys } from '../../src/domain/permissions.ts'
import { aUser, temporaryFolder, testDatabaseUrl } from '../support/app.ts'
import { portal, runner } from './run.ts'

const folder = temporaryFolder(t)
const url = await testDatabaseUrl(t)
const env = { DATABASE_URL: url, BCRYPT_COST: '10' }
const { run, ok, json } = runner(env)

// PGlite allows one process at a time.
const database = await openDatabase(url)
await aUser(database, 'ops@example.com')
await database.close()

t.test('roles and permissions are created, listed, updated and deleted', async (t) => {
  const permissions = systemPermissionKeys.length + 1
  await ok(t, 'permission create invoices:read --description See_invoices')
  t.match(json(await ok(t, 'role create support invoices:read --name Support --json')), {
    key: 'support',
    permissions: ['invoices:read']
  })
  t.match(json(await ok(t, 'role create clerk --name Clerk --scoped --json')), { scoped: true })
  t.match((await ok(t, 'role list')).stdout, /^clerk .* in scopes /m)
  await ok(t, 'role delete clerk --yes')
  await ok(t, 'role grant support users:read')
  await ok(t, 'role revoke support invoices:read')
  t.match(json(await ok(t, 'role update support --description Answers --json')), {
    description: 'Answers',
    permissions: ['users:read']
  })
  t.match(
    (await ok(t, 'role list')).stdout,
    new RegExp(
      '^KEY +NAME +DESCRIPTION +SYSTEM +HELD +SECOND FACTOR +PERMISSIONS\n' +
        `admin +Administrator +Every permission.* +true +everywhere +- +${permissions}\n`
    )
  )
  t.match(json(await ok(t, 'permission update invoices:read --description Read_them --json')), {
    description: 'Read them'
  })
  t.equal(json(await ok(t, 'permission list --json --limit 5')).length, 5)
  t.equal(json(await ok(t, 'permission list --json --all')).length, permissions)
  for (const [args, code] of [
    ['role create support --name x', 4],
    ['role delete admin --yes', 4],
    ['role show nothing', 3],
    ['role create x no:such --name x', 2],
    ['role delete support', 2],
    ['permission delete invoices:read', 2],
    ['permission show no:such', 3]
  ] as const) {
    t.equal((await run(args)).code, code, args)
  }
  await ok(t, 'role delete support --yes')
  await ok(t, 'permission delete invoices:read --yes')
})

t.test('feature flags are created from a file and updated from stdin', async (t) => {
  const flag = {
    key: 'new-checkout',
    type: 'boolean',
    variants: { on: true, off: false },
    defaultVariant: 'off',
    offVariant: 'off'
  }
  const file = path.join(folder, 'flag.json')
  writeFileSync(file, JSON.stringify(flag))
  t.match(json(await ok(t, `flag create --file ${file} --json`)), { ...flag, state: 'enabled' })
  t.match(
    json(
      await ok(t, 'flag update new-checkout --file - --json', { input: '{"defaultVariant":"on"}' })
    ),
    { defaultVariant: 'on' }
  )
  t.match(json(await ok(t, 'flag disable new-checkout --json')), { state: 'disabled' })
  t.match((await ok(t, 'flag list')).stdout, /^new-checkout +boolean +disabled +on +false/m)
  await ok(t, 'flag enable new-checkout')
  t.match(json(await ok(t, 'flag show new-checkout --json')), { state: 'enabled' })
  const bad = await run('flag update new-checkout --file -', {
    input: '{"defaultVariant":"maybe","nonsense":1}'
  })
  t.equal(bad.code, 2)
  t.match(bad.stderr, /unknown property/)
  t.match(
    (await run('flag update new-checkout --file -', { input: 'nonsense' })).stderr,
    'The input is not valid JSON'
  )
  t.match(
    json(await ok(t, 'flag update new-checkout --file - --json', { input: '{"permanent":true}' })),
    { permanent: true }
  )
  await ok(t, 'flag delete new-checkout --yes')
  t.match(json(await ok(t, 'flag create kept --permanent --json')), { permanent: true })
  t.match(await run(`flag create --permanent --file ${file}`), { code: 2, stderr: /--permanent/ })
  await ok(t, 'flag delete kept --yes')
  t.equal((await run('flag show new-checkout')).code, 3)
})

t.test('a flag is tried for a user and for a made-up caller, saved or not', async (t) => {
  const flag = {
    key: 'tried',
    type: 'boolean',
    variants: { on: true, off: false },
    defaultVariant: 'off',
    offVariant: 'off',
    rules: [
      { when: { rolesAny: ['admin'] }, serve: { variant: 'on' } },
      {
        when: { attributes: [{ name: 'age', op: 'gte', values: [18] }] },
        serve: { split: [{ variant: 'on', weight: 100_000 }] }
      },
      {
        when: { attributes: [{ name: 'country', op: 'in', values: ['DE'] }] },
        serve: { variant: 'on' }
      }
    ]
  }
  const input = JSON.stringify(flag)
  const tried = async (args: string) =>
    json(await ok(t, `flag try --file - --json ${args}`, { input }))
  t.match(await tried('--role admin --role user'), {
    rule: 0,
    context: { roles: ['admin', 'user'] }
  })
  t.match(await tried('--targeting-key ada --attribute age=42'), { rule: 1, reason: 'SPLIT' })
  t.match(await tried('--attribute age="42" --attribute country=DE'), { rule: 2, visible: false })
  t.match(await tried('--attribute country=FR --sample 10'), {
    reason: 'DEFAULT',
    shares: [
      { variant: 'on', count: 0 },
      { variant: 'off', count: 10 }
    ]
  })
  await ok(t, 'flag create --file -', { input })
  t.match(json(await ok(t, 'flag try tried --user ops@example.com --json')), {
    reason: 'DEFAULT',
    context: { signedIn: true, roles: ['user'] }
  })
  t.match(
    (await ok(t, 'flag try tried --role admin --sample 5')).stdout,
    /^value +true\nvariant +on\nreason +TARGETING_MATCH\nrule +0\n[^]*^shares +on 5, off 0$/m
  )
  t.match(
    (await ok(t, 'user flags ops@example.com')).stdout,
    /^KEY +VARIANT +VALUE +REASON +RULE +BUCKET\ntried +off +false +DEFAULT +- +-$/m
  )
  for (const [args, code, stderr] of [
    ['flag try', 2, /Specify either a key or --file/],
    ['flag create --file /missing.json', 2, /The file \/missing\.json cannot be read/],
    ['flag update new-checkout --file /missing.json', 2, /cannot be read/],
    ['flag try tried --file -', 2, /Specify either a key or --file/],
    ['flag try other', 3, /./],
    ['flag try tried --user nobody@example.com', 3, /./],
    ['flag try tried --user ops@example.com --role admin', 2, /context\/userId/],
    ['flag try tried --attribute country', 2, /Write an attribute like/],
    ['flag try tried --sample 1001', 2, /from 1 to 1000/]
  ] as const) {
    t.match(await run(args), { code, stderr }, args)
  }
  const wrong = await run('flag try --file -', { input: input.replace('"off"', '"maybe"') })
  t.match(wrong, { code: 2, stderr: /flag\/defaultVariant: There is no variant/ })
  await ok(t, 'flag delete tried --yes')
})

t.test('the evaluations of a flag are printed by variant, with their share', async (t) => {
  await ok(t, 'flag create counted')
  t.match(await run('flag evaluations counted'), { code: 0, stderr: 'none' })
  const database = await openDatabase(url)
  const day = sql`(now() at time zone 'UTC')::date`
  const row = { flagKey: 'counted', day, kind: 'single' as const }
  await database.db.insert(flagEvaluations).values([
    { ...row, variant: 'on', count: 12 },
    { ...row, variant: 'on', kind: 'bulk', count: 984 },
    { ...row, variant: '', count: 4 }
  ])
  await database.close()
  t.match(
    (await ok(t, 'flag evaluations counted')).stdout,
    /^VARIANT +SINGLE +BULK +SHARE\non +12 +984 +99\.6 %\n- +4 +0 +0\.4 %\n$/
  )
  t.match(json(await ok(t, 'flag evaluations counted --days 1 --json')), {
    variants: [{ variant: 'on', single: [12], bulk: [984] }, { variant: null }]
  })
  t.equal((await run('flag evaluations counted --days 91')).code, 2)
  t.match(await run('flag stale'), { code: 0, stderr: 'none' })
  const visitor = await openDatabase(url)
  await visitor.db.update(flags).set({ updatedAt: sql`now() - interval '8 days'` })
  await visitor.close()
  t.match(
    (await ok(t, 'flag stale --days 7')).stdout,
    /^KEY +REASON +SINCE +VARIANT\ncounted +rolled-out +\S+Z +off\n$/
  )
  t.match(await run('flag stale --days 6'), { code: 2, stderr: /from 7 to 90/ })
  t.equal((await run('flag evaluations no-such-flag')).code, 3)
  await ok(t, 'flag delete counted --yes')
})

t.test('the overview has the database, users, live sessions and mail', async (t) => {
  t.match(json(await ok(t, 'overview --json')), {
    database: { version: Number },
    users: { count: 1, approximate: false },
    liveSessions: { count: 0 },
    outbox: { pending: 0, dead: 0 }
  })
  t.match((await ok(t, 'overview')).stdout, /^users +1\nlive sessions +0\nmail pending +0$/m)
})

t.test('activity and sessions are listed as tables and as JSON', async (t) => {
  const records = json(await ok(t, 'activity list --action flag.create --json'))
  t.ok(records.every((record: { action: string }) => record.action === 'flag.create'))
  t.match((await ok(t, 'activity list --limit 1')).stdout, /^TIME +ACTION +OUTCOME +ACTOR +TARGET/)
  t.equal((await run('activity list --from yesterday')).code, 2)
  t.same(json(await ok(t, 'session list --user ops@example.com --json')), [])
  t.match((await ok(t, 'session list')).stderr, 'none')
  for (const [args, code] of [
    ['session revoke', 2],
    ['session revoke 1', 2],
    ['session revoke 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e', 3],
    ['session revoke --user ops@example.com', 2],
    ['session revoke --user ops@example.com --yes', 0],
    ['session list --user nobody@example.com', 3]
  ] as const) {
    t.equal((await run(args)).code, code, args)
  }
})

t.test('control characters in stored text do not reach the terminal', async (t) => {
  const { stdout } = await ok(t, 'activity list --all', { terminal: true })
  t.notMatch(stdout.replaceAll('\r\n', '\n'), /[\u0000-\u0009\u000b-\u001f]/) // eslint-disable-line no-control-regex
})

t.test('the OpenAPI document is printed, and the configuration without secrets', async (t) => {
  t.match(json(await ok(t, 'openapi')), { openapi: /^3\.1/ })
  const secret = randomBytes(32).toString('base64url')
  const shown = await portal(['config', '--json'], {
    env: { ...env, PUBLIC_ORIGIN: 'https://portal.example.com', SECRET_KEYS: `k1:${secret}` }
  })
  t.equal(shown.code, 0, shown.stderr)
  t.match(JSON.parse(shown.stdout), {
    NODE_ENV: 'production',
    PUBLIC_ORIGIN: 'https://portal.example.com',
    SECRET_KEYS: '(secret)',
    DATABASE_URL: '(secret)',
    BCRYPT_COST: 10,
    THROTTLE_LOGIN_PAIR: '10/30'
  })
  t.notMatch(shown.stdout, secret)
  const incomplete = await run('config')
  t.equal(incomplete.code, 1)
  t.match(incomplete.stderr, 'PUBLIC_ORIGIN is not set')
})
