// Not on PGlite: it uses no database.
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { readProviders } from '../../src/config/providers.ts'
import { temporaryFolder } from '../support/app.ts'

function reader(t: Test) {
  const folder = temporaryFolder(t)
  const file = (name: string, content: string) => {
    const at = path.join(folder, name)
    writeFileSync(at, content)
    return at
  }
  const read = (content: unknown, development = false) => {
    const problems: string[] = []
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    const providers = readProviders(file('providers.json', text), development, problems)
    return { providers, problems }
  }
  return { file, read, secret: file('secret', 'S3CRET-VALUE\n') }
}

t.test('each kind is read with its defaults', async (t) => {
  const { file, read, secret } = reader(t)
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = file('apple.p8', String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })))
  const client = { clientId: 'portal', clientSecretFile: secret }
  const tenant = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490'
  const { providers, problems } = read({
    google: { kind: 'google', ...client },
    microsoft: { kind: 'microsoft', tenant, domains: ['Corp.Example'], ...client },
    apple: { kind: 'apple', clientId: 'x', teamId: 'T', keyId: 'K', privateKeyFile: key },
    github: { kind: 'github', ...client, listed: false },
    acme: {
      kind: 'oidc',
      name: 'Acme',
      issuer: 'https://login.acme.example/realms/staff',
      domains: ['acme.example', 'bücher.example'],
      required: true,
      creates: 'always',
      assurance: { amr: ['mfa'] },
      roles: { claim: 'groups', map: { 'support-team': 'support' } },
      sessionSeconds: 43_200,
      ...client
    }
  })
  t.same(problems, [])
  t.match(providers, [
    {
      key: 'google',
      name: 'Google',
      issuer: 'https://accounts.google.com',
      credential: { secret: 'S3CRET-VALUE' },
      trustsEmail: 'never',
      listed: true,
      creates: 'registration'
    },
    { issuer: `https://login.microsoftonline.com/${tenant}/v2.0`, domains: ['corp.example'] },
    { issuer: 'https://appleid.apple.com', credential: { teamId: 'T', keyId: 'K' } },
    { issuer: 'https://github.com', endpoints: { api: 'https://api.github.com' }, listed: false },
    {
      trustsEmail: 'domains',
      domains: ['acme.example', 'xn--bcher-kva.example'],
      required: true,
      assurance: { amr: ['mfa'], acr: [] },
      sessionSeconds: 43_200
    }
  ])
})

t.test('all mistakes are listed by name, and no value is', async (t) => {
  const { file, read, secret } = reader(t)
  const client = { clientId: 'portal', clientSecretFile: secret }
  const oidc = { kind: 'oidc', name: 'A', issuer: 'https://a.example', ...client }
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = file('rsa.p8', String(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' })))
  const cases: [object, ...string[]][] = [
    [{ S3CRET_KEY: oidc }, 'PROVIDERS item 1: the key must be'],
    [{ find: oidc }, 'PROVIDERS item 1: the key must be'],
    [{ a: 7 }, 'PROVIDERS a: kind must be one of'],
    [{ a: { kind: 'S3CRET' } }, 'PROVIDERS a: kind must be one of'],
    [{ a: { kind: 'google' } }, 'a.clientId is not set', 'a.clientSecretFile is not set'],
    [
      { a: { ...oidc, clientSecretFile: '/S3CRET' } },
      'a.clientSecretFile names a file that cannot'
    ],
    [{ a: { ...oidc, clientSecretFile: file('empty', ' ') } }, 'a.clientSecretFile names an empty'],
    [{ a: { ...oidc, clientSecret: 'S3CRET' } }, 'a: kind oidc has only these members'],
    [{ a: { ...oidc, issuer: 'http://S3CRET.example' } }, 'a.issuer must be an https URL'],
    [{ a: { ...oidc, issuer: 'http://127.0.0.1:1' } }, 'a.issuer must be an https URL'],
    [{ a: { ...oidc, issuer: 'https://u:S3CRET@a.example' } }, 'a.issuer must be an https URL'],
    [{ a: { ...oidc, name: 'S3CRET\0' } }, 'a.name must be a text of 1 to 40 characters'],
    [{ a: { ...oidc, domains: ['*.S3CRET.example'] } }, 'a.domains must list domains like'],
    [{ a: { ...oidc, domains: [] } }, 'a.domains must be a list'],
    [{ a: { ...oidc, required: true } }, 'a.required needs domains'],
    [{ a: { ...oidc, trustsEmail: 'domains' } }, 'a.trustsEmail needs domains'],
    [
      { a: { ...oidc, domains: ['a.example'], trustsEmail: 'never', required: true } },
      'a.required needs trustsEmail'
    ],
    [{ a: { ...oidc, creates: 'S3CRET' } }, 'a.creates must be one of registration'],
    [{ a: { ...oidc, listed: 'S3CRET' } }, 'a.listed must be true or false'],
    [{ a: { ...oidc, assurance: { S3CRET: [] } } }, 'a.assurance must have amr, acr or both'],
    [{ a: { ...oidc, roles: { claim: 'g', map: { x: 'S3 CRET' } } } }, 'a.roles must have a claim'],
    [{ a: { ...oidc, sessionSeconds: 10 } }, 'a.sessionSeconds must be a whole number'],
    [{ a: { kind: 'github', ...client, domains: ['a.example'] } }, 'a: kind github has only these'],
    [{ a: { kind: 'microsoft', ...client, tenant: 'S3CRET' } }, 'a.tenant must be the id of a'],
    [
      { a: { kind: 'microsoft', ...client, tenant: 'common', domains: ['a.example'] } },
      'a.domains needs the id of one tenant'
    ],
    [
      {
        a: {
          kind: 'microsoft',
          ...client,
          tenant: 'organizations',
          roles: { claim: 'roles', map: { Admin: 'admin' } },
          assurance: { amr: ['mfa'] }
        }
      },
      'a.roles, assurance needs the id of one tenant'
    ],
    [
      { a: { ...oidc, issuer: 'https://login.microsoftonline.com/organizations/v2.0' } },
      'a.issuer is that of many tenants'
    ],
    [
      { a: { kind: 'apple', clientId: 'x', teamId: 'T', keyId: 'K', privateKeyFile: key } },
      'a.privateKeyFile must name a file with a private key for ES256'
    ],
    [
      { a: { ...oidc, domains: ['x.example'] }, b: { ...oidc, domains: ['X.example'] } },
      'a and b have the same domain',
      'a and b have the same issuer'
    ]
  ]
  for (const [content, ...expected] of cases) {
    const { providers, problems } = read(content)
    t.equal(problems.length, expected.length, problems.join('\n'))
    for (const [i, text] of expected.entries()) {
      const problem = problems[i] ?? ''
      t.ok(problem.startsWith('PROVIDERS ') && problem.includes(text), problem)
    }
    t.notMatch(problems.join(), /S3/, 'no value')
    t.ok(providers.length <= 2)
  }
  for (const text of ['S3CRET', '[]', '"S3CRET"', '{']) {
    t.same(read(text).problems, ['PROVIDERS must name a file with a JSON object of providers'])
  }
  const missing: string[] = []
  t.same(readProviders('/S3CRET', false, missing), [])
  t.same(missing, ['PROVIDERS names a file that cannot be read'])
})

t.test('http is for loopback in development', async (t) => {
  const { read, secret } = reader(t)
  const local = { kind: 'oidc', name: 'A', clientId: 'x', clientSecretFile: secret }
  t.same(read({ a: { ...local, issuer: 'http://127.0.0.1:8080/realms/x' } }, true).problems, [])
  t.equal(read({ a: { ...local, issuer: 'http://192.0.2.1/' } }, true).problems.length, 1)
})
