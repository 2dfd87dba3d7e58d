import { randomBytes } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { activityOf, aUser, operator, temporaryFolder, testDatabaseUrl } from '../support/app.ts'
import { confirmed } from '../support/mails.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import { runner, visitor } from './run.ts'

const url = await testDatabaseUrl(t)
const folder = temporaryFolder(t)
const secret = path.join(folder, 'secret')
const file = path.join(folder, 'providers.json')
const acme = await startOidcProvider(t)
writeFileSync(secret, acme.client.secret, { mode: 0o600 })
const client = { clientId: 'portal', clientSecretFile: secret }
writeFileSync(
  file,
  JSON.stringify({
    acme: {
      kind: 'oidc',
      name: 'Acme',
      issuer: acme.issuer,
      domains: ['example.com'],
      required: true,
      ...client
    },
    away: { kind: 'oidc', name: 'Away', issuer: 'http://127.0.0.1:9', ...client }
  })
)
const SECRET_KEYS = `k1:${randomBytes(32).toString('base64url')}`
const env = { NODE_ENV: 'development', DATABASE_URL: url, PROVIDERS: file, SECRET_KEYS }
const { run, ok, json } = runner(env)
const inDatabase = visitor(url)

t.test('the providers are listed, and each is checked, without their secrets', async (t) => {
  const list = await ok(t, 'provider list --json')
  t.match(json(list), [{ key: 'acme', kind: 'oidc', required: true }, { key: 'away' }])
  const check = await ok(t, 'provider check acme --json')
  t.match(json(check), {
    redirectUri: 'http://localhost:3000/api/auth/providers/acme/callback',
    authorizationEndpoint: `${acme.issuer}/auth`
  })
  t.notMatch(list.stdout + check.stdout, acme.client.secret)
  const away = await run('provider check away')
  t.match(away, { code: 1, stderr: /The provider cannot be reached/ })
  t.match(away.stderr, /redirect URI .*: http:.*\/api\/auth\/providers\/away\/callback\n/)
  t.match(await run('provider check nobody'), { code: 3 })
})

t.test('the check and doctor name what would keep users from signing in', async (t) => {
  type Discovery = (body: Record<string, unknown>) => Record<string, unknown>
  const doctors = async () =>
    (json(await run('doctor --json')) as { check: string; finding: string }[]).find(
      ({ check }) => check === 'provider acme'
    )
  const cases: [words: RegExp, Discovery][] = [
    [
      /names another issuer .*: https:\/\/evil\.example instead of http:/,
      (body) => ({ ...body, issuer: 'https://evil.example' })
    ],
    [
      /accepts no client secret/,
      (body) => ({ ...body, token_endpoint_auth_methods_supported: ['private_key_jwt'] })
    ],
    [
      /with a secret only \(HS256\)/,
      (body) => ({ ...body, id_token_signing_alg_values_supported: ['HS256'] })
    ],
    [/publishes no key/, ({ jwks_uri: _, ...body }) => body]
  ]
  for (const [words, discovery] of cases) {
    acme.alter.discovery = discovery
    t.match(await run('provider check acme'), { code: 1, stderr: words })
    t.match(await doctors(), { result: 'problem', finding: words })
  }
  delete acme.alter.discovery
  writeFileSync(secret, 'not the secret')
  t.match(await run('provider check acme'), {
    code: 1,
    stderr: /refuses the client id or the client secret/
  })
  t.match(await doctors(), { result: 'problem', finding: /^it refuses the client id/ })
  writeFileSync(secret, acme.client.secret)
  for (const [trouble, words] of [
    ['html', /something else than JSON/],
    [404, /answers with status 404/],
    ['redirect', /redirects to another address/]
  ] as const) {
    acme.trouble = () => trouble
    t.match(await run('provider check acme'), { code: 1, stderr: words })
  }
  acme.trouble = () => undefined
  t.match(await doctors(), { result: 'ok', finding: 'answers, and accepts the client' })
})

t.test('accounts at providers are listed and unlinked', async (t) => {
  const user = await inDatabase(async (database) => {
    const user = await confirmed(database, await aUser(database, 'ada@elsewhere.example'))
    await database.db.insert(providerAccounts).values(
      ['one', 'two'].map((subject, i) => ({
        id: `0199b0a2-7c1e-7d3a-8f52-00000000000${i}`,
        userId: user.id,
        provider: 'acme',
        issuer: acme.issuer,
        subject,
        createdAt: sql`now()`
      }))
    )
    return user
  })
  const accounts = json(await ok(t, `user providers ${user.email} --json`))
  t.match(accounts, [{ provider: 'acme' }, { provider: 'acme' }])
  t.match(await run(`user unlink ${user.email} acme`), { code: 2, stderr: /Several accounts/ })
  await ok(t, `user unlink ${user.email} ${accounts[0].id}`)
  await ok(t, `user unlink ${user.email} acme`)
  t.match(await run(`user unlink ${user.email} acme`), { code: 3 })
  t.match(await inDatabase((database) => activityOf(database, user.id)), [
    { action: 'user.provider-unlink', actorType: 'cli', details: { provider: 'acme' } },
    { action: 'user.provider-unlink' }
  ])
})

t.test('doctor looks at answers, secrets, and who can still administer', async (t) => {
  await inDatabase(async (database) => {
    const { id } = await confirmed(database, await aUser(database, 'boss@example.com'))
    await grantRole(database.db, operator, { userId: id, role: 'admin' })
  })
  const linked = await inDatabase(async (database) => {
    const { db } = database
    const names = ['alone', 'guest', 'two']
    const people = []
    for (const name of names) {
      people.push(await confirmed(database, await aUser(database, `${name}@example.com`)))
    }
    const [alone, guest, two] = people.map(({ id }) => id)
    const accounts = [
      { userId: alone, provider: 'acme', email: 'Alone@Example.com' },
      { userId: guest, provider: 'acme', email: 'guest@elsewhere.example' },
      { userId: two, provider: 'acme', email: 'two@example.com' },
      { userId: two, provider: 'away', email: 'two@example.com' }
    ]
    await db.insert(providerAccounts).values(
      accounts.map(({ userId = '', ...account }, i) => ({
        id: `0199b0a2-7c1e-7d3a-8f52-00000000001${i}`,
        userId,
        issuer: acme.issuer,
        subject: `of ${i}`,
        createdAt: sql`now()`,
        ...account
      }))
    )
    return names.map((name) => `${name}@example.com`)
  })
  chmodSync(secret, 0o644)
  const findings = json(await run('doctor --json')) as { check: string; finding: string }[]
  const of = (name: string) => findings.find(({ check }) => check === name)
  t.match(of('provider acme'), { result: 'ok', finding: /^answers/ })
  t.match(of('provider away'), { result: 'problem' })
  t.match(of('provider secrets'), { result: 'warning', finding: new RegExp(secret) })
  t.match(of('required providers'), { result: 'warning', finding: /every administrator/ })
  t.match(of('accounts of required domains'), {
    result: 'warning',
    finding: new RegExp(`: ${linked.slice(1).join(', ')}$`)
  })
  chmodSync(secret, 0o600)
  const after = json(await run('doctor --json')) as { check: string }[]
  t.notOk(after.some(({ check }) => check === 'provider secrets'))
})
