import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { totp } from '../../db/schema/second-factors.ts'
import { users } from '../../db/schema/users.ts'
import { password, passwords, temporaryFolder, ownApp, testDatabaseUrl } from '../support/app.ts'
import { configured } from '../support/providers/configured.ts'
import { goThrough } from '../support/providers/flow.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import { beginLogin, codeOf, verify } from '../support/second-factors.ts'
import { runner, visitor } from './run.ts'

// Tests the fields of a line beside the profile: ids, accounts at providers, one-time codes.

const folder = temporaryFolder(t)
const fileOf = (name: string, ...lines: object[]) => {
  const file = path.join(folder, `${name}.ndjson`)
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  return file
}
const acme = await startOidcProvider(t)
const secretFile = path.join(folder, 'secret')
writeFileSync(secretFile, 'S3CRET-VALUE', { mode: 0o600 })
const PROVIDERS = path.join(folder, 'providers.json')
writeFileSync(
  PROVIDERS,
  JSON.stringify({
    acme: {
      kind: 'oidc',
      name: 'Acme',
      issuer: acme.issuer,
      clientId: 'portal',
      clientSecretFile: secretFile
    }
  })
)
const key = { kid: 'k1', secret: randomBytes(32) }
const SECRET_KEYS = `k1:${key.secret.toString('base64url')}`
const id = '4f3c2b1a-0d9e-4c8b-9a7f-6e5d4c3b2a10'
const email = 'ada@example.com'
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

async function aPortal() {
  const url = await testDatabaseUrl(t)
  const env = { NODE_ENV: 'development', DATABASE_URL: url, PROVIDERS, SECRET_KEYS }
  const inDatabase = visitor(url)
  const userOf = (address: string) =>
    inDatabase(async ({ db }) => {
      const [row] = await db.select().from(users).where(eq(users.emailNormalized, address))
      return row
    })
  return { url, ...runner(env), env, inDatabase, userOf }
}
const mappingOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

t.test('a UUID is kept, another id is replaced, and the mapping names both', async (t) => {
  const { ok, run, userOf } = await aPortal()
  const input = fileOf(
    'ids',
    { id: id.toUpperCase(), email, name: 'Ada' },
    { id: 'auth0|17', email: 'grace@example.com', name: 'Grace' },
    { email: 'joan@example.com', name: 'Joan' }
  )
  const mapping = path.join(folder, 'mapping.ndjson')
  await ok(t, `import users ${input} --mapping ${mapping}`)
  t.match(await userOf(email), { id })
  const grace = await userOf('grace@example.com')
  const both = [
    { oldId: id.toUpperCase(), id },
    { oldId: 'auth0|17', id: grace?.id }
  ]
  t.same(mappingOf(mapping), both)
  const exists = await run(`import users ${input} --mapping ${mapping}`)
  t.match(exists, { code: 2, stderr: /mapping\.ndjson exists: name a new file/ })
  await ok(t, `import users ${input} --mapping ${mapping}.again`)
  t.same(mappingOf(`${mapping}.again`), both, 'a repeated import names users who exist')
  t.match(await run(`import users ${input} --dry-run --mapping x`), { code: 2 })
  const exported = await ok(t, 'export users')
  t.match(exported.stdout, `"id":"${id}"`)
})

t.test('users are listed in the order of creation, whatever their ids are', async (t) => {
  const { ok, json } = await aPortal()
  const input = fileOf(
    'order',
    {
      id: `f${id.slice(1)}`,
      email: 'old@example.com',
      name: 'Old',
      createdAt: '2020-01-01T00:00:00Z'
    },
    { email: 'new@example.com', name: 'New', createdAt: '2024-01-01T00:00:00Z' },
    {
      id: `0${id.slice(1)}`,
      email: 'middle@example.com',
      name: 'Mid',
      createdAt: '2022-01-01T00:00:00Z'
    }
  )
  await ok(t, `import users ${input}`)
  for (const [status, names] of [
    ['', ['Old', 'Mid', 'New']],
    ['--status active', ['Old', 'Mid', 'New']]
  ] as const) {
    const list = await ok(t, `user list --sort createdAt --json ${status}`.trim())
    t.same(
      json(list).map((user: { name: string }) => user.name),
      names
    )
  }
})

t.test('a line with the id or the provider account of somebody else is rejected', async (t) => {
  const { ok, run, userOf } = await aPortal()
  const account = { issuer: acme.issuer, subject: 'kim' }
  await ok(t, `import users ${fileOf('first', { id, email, name: 'Ada', providers: [account] })}`)
  const input = fileOf(
    'others',
    { id, email: 'eve@example.com', name: 'Eve' },
    { email: 'mallory@example.com', name: 'Mallory', providers: [account] },
    { email: 'lee@example.com', name: 'Lee', providers: [{ ...account, subject: 'lee' }] },
    { email: 'leo@example.com', name: 'Leo', providers: [{ ...account, subject: 'lee' }] }
  )
  for (const command of [`import users ${input} --dry-run`, `import users ${input}`]) {
    const { code, stderr } = await run(command)
    t.equal(code, 1)
    t.match(stderr, /line 1: .*id.*Another user has this id/)
    t.match(stderr, /line 2: .*Another user has this account/)
    t.match(stderr, /line 4: .*Another user has this account/)
    t.match(stderr, /import(ed)? 1, skipped 0 existing, rejected 3/)
  }
  t.equal(await userOf('eve@example.com'), undefined)
  t.equal(await userOf('mallory@example.com'), undefined)
  t.ok(await userOf('lee@example.com'))
})

t.test('signing in with a provider goes on', async (t) => {
  const { url, ok, run, userOf } = await aPortal()
  const [person] = acme.people
  const account = { issuer: acme.issuer, subject: person?.id, email }
  const line = { id, email, name: 'Ada', providers: [account] }
  const elsewhere = { ...line, providers: [{ ...account, issuer: 'https://other.example' }] }
  const refused = await run(`import users ${fileOf('elsewhere', elsewhere)}`)
  t.match(refused, { code: 1, stderr: /no provider with this issuer/ })
  await ok(t, `import users ${fileOf('elsewhere', elsewhere)} --no-providers --dry-run`)
  t.equal(await userOf(email), undefined)
  await ok(t, `import users ${fileOf('providers', line)}`)
  const app = await ownApp(t, { providers: [configured.oidc(acme)] }, await openDatabase(url))
  const jar = new Map<string, string>()
  await goThrough(app, jar, { key: 'acme', person: person?.id ?? '' })
  const me = await app.inject({
    url: '/api/auth/me',
    headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') }
  })
  t.match(me.json(), { user: { id } })
})

t.test('an import says how many second factors it leaves out, and what to do', async (t) => {
  const { ok } = await aPortal()
  const hotp = { type: 'otp', secretData: '{"value":"x"}', credentialData: '{"subType":"hotp"}' }
  const cases: [name: string, factor: object, left: number, options?: string][] = [
    ['own', { totp: secret }, 1],
    ['kept', { totp: secret }, 0, '--with-totp'],
    ['keycloak', { credentials: [hotp] }, 1, '--from keycloak'],
    ['hotp', { credentials: [hotp] }, 1, '--from keycloak --with-totp'],
    ['directus', { tfa_secret: secret, status: 'active' }, 1, '--from directus'],
    ['clerk', { totp_secret: secret }, 1, '--from clerk'],
    ['better', { twoFactorEnabled: true }, 1, '--from better-auth'],
    ['logto', { mfa_verifications: [{ type: 'Totp' }] }, 1, '--from logto']
  ]
  for (const [name, factor, left, options = ''] of cases) {
    const user = (who: string) => ({
      [{ clerk: 'primary_email_address', logto: 'primary_email' }[name] ?? 'email']:
        `${who}@${name}.example.com`,
      name: 'Ada'
    })
    const input = fileOf(name, { ...user('ada'), ...factor }, user('joan'))
    for (const dryRun of ['--dry-run', '']) {
      const command = ['import users', input, options, dryRun, '--json'].filter(Boolean).join(' ')
      const { stdout, stderr } = await ok(t, command)
      t.match(JSON.parse(stdout), {
        created: 2,
        skipped: 0,
        bad: 0,
        unproved: 0,
        secondFactorsLeftOut: left
      })
      const advice = options.includes('totp') ? /cannot be imported/ : /imported with --with-totp/
      if (left > 0) t.match(stderr, advice, command)
      else t.notMatch(stderr, /second factor/, command)
    }
    t.notMatch((await ok(t, `import users ${input} ${options}`.trim())).stderr, /second factor/)
  }
})

t.test('codes of an app go on only on request, and only with a secret of its length', async (t) => {
  const { url, env, ok, run, inDatabase } = await aPortal()
  const passwordHash = await passwords.hash(password)
  const line = { id, email, name: 'Ada', passwordHash, totp: secret }
  const without = fileOf('without', { ...line, id: 'x', email: 'grace@example.com' })
  const { stderr } = await ok(t, `import users ${without}`)
  t.match(stderr, /^imported 1, .*\n1 of these users has a second factor .* that was left out/)
  t.same(await inDatabase(({ db }) => db.select().from(totp)), [])
  for (const [wrong, message] of [
    ['JBSWY3DPEHPK3PX', /10 to 64 bytes/],
    ['A'.repeat(104), /10 to 64 bytes/],
    ['', /10 to 64 bytes/],
    ['not base32!', /secret in base32/]
  ] as const) {
    const result = await run(
      `import users ${fileOf('wrong', { ...line, totp: wrong })} --with-totp`
    )
    t.match(result, { code: 1, stderr: message })
  }
  const input = fileOf('totp', { ...line, totp: secret.toLowerCase() })
  const keyless = await run(`import users ${input} --with-totp`, {
    env: { DATABASE_URL: env.DATABASE_URL }
  })
  t.match(keyless, { code: 1, stderr: /SECRET_KEYS is not set/ })
  await ok(t, `import users ${input} --with-totp`)
  const app = await ownApp(t, { SECRET_KEYS: [key] }, await openDatabase(url))
  const login = await beginLogin(app, { email })
  const verified = await verify(app, login, { code: await codeOf(app.db, secret) })
  t.equal(verified.statusCode, 200, verified.body)
  t.match(verified.json(), { session: { assurance: 2 } })
})
