import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { aUser, temporaryFolder, testDatabaseUrl } from '../helpers.ts'
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
  await ok(t, 'permission create invoices:read --description See_invoices')
  t.match(json(await ok(t, 'role create support invoices:read --name Support --json')), {
    key: 'support',
    permissions: ['invoices:read']
  })
  await ok(t, 'role grant support users:read')
  await ok(t, 'role revoke support invoices:read')
  t.match(json(await ok(t, 'role update support --description Answers --json')), {
    description: 'Answers',
    permissions: ['users:read']
  })
  t.match(
    (await ok(t, 'role list')).stdout,
    /^KEY +NAME +DESCRIPTION +SYSTEM +SECOND FACTOR +PERMISSIONS\nadmin +Administrator +Every permission.* +true +- +26\n/
  )
  t.match(json(await ok(t, 'permission update invoices:read --description Read_them --json')), {
    description: 'Read them'
  })
  t.equal(json(await ok(t, 'permission list --json --limit 5')).length, 5)
  t.equal(json(await ok(t, 'permission list --json --all')).length, 26)
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
  await ok(t, 'flag delete new-checkout --yes')
  t.equal((await run('flag show new-checkout')).code, 3)
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
