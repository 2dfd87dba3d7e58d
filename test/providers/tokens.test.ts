import t from 'tap'
import type { Test } from 'tap'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { activity } from '../../db/schema/activity.ts'
import { asc, eq } from 'drizzle-orm'
import { aUser, ownApp } from '../support/app.ts'
import { confirmed } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import type { TestProvider } from '../support/providers/oidc.ts'
import { portalOf } from '../support/providers/portal.ts'

type Alteration = NonNullable<TestProvider['alter']['idToken']>
const seconds = () => Math.floor(Date.now() / 1000)
const claims =
  (changes: Record<string, unknown>): Alteration =>
  ({ header, claims }) => ({ header, claims: { ...claims, ...changes } })

const aPortal = (t: Test) => portalOf(t, { acme: { trustsEmail: 'claim' } })

/** A portal whose keys and discovery document a test may change. */
async function ownPortal(t: Test, authMethod?: 'client_secret_basic' | 'client_secret_post') {
  const acme = await startOidcProvider(t, authMethod && { authMethod })
  const app = await ownApp(t, { providers: [configured.oidc(acme, { trustsEmail: 'claim' })] })
  return { acme, app }
}

t.test('an ID token that is not valid signs nobody in', async (t) => {
  const { acme, app } = await aPortal(t)
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const cases: Record<string, [reason: string, Alteration]> = {
    'another nonce': ['nonce', claims({ nonce: 'another' })],
    'no nonce': ['claims', ({ header, claims: { nonce, ...claims } }) => ({ header, claims })],
    'another audience': ['audience', claims({ aud: 'another' })],
    'several audiences without azp': ['audience', claims({ aud: ['portal', 'another'] })],
    'another authorized party': [
      'audience',
      claims({ aud: ['portal', 'another'], azp: 'another' })
    ],
    'another issuer': ['issuer', claims({ iss: 'https://evil.example' })],
    'no subject': ['claims', ({ header, claims: { sub, ...claims } }) => ({ header, claims })],
    'a subject of 256 characters': ['subject', claims({ sub: 's'.repeat(256) })],
    'a subject with NUL': ['subject', claims({ sub: 'nora\0' })],
    'an empty subject': ['subject', claims({ sub: '' })],
    'a number as subject': ['claims', claims({ sub: 7 })],
    'an expired one': ['clock', claims({ exp: seconds() - 120, iat: seconds() - 300 })],
    'no expiry': ['claims', ({ header, claims: { exp, ...claims } }) => ({ header, claims })],
    'no time of issue': [
      'claims',
      ({ header, claims: { iat, ...claims } }) => ({ header, claims })
    ],
    'one from the future': ['clock', claims({ nbf: seconds() + 600 })],
    'no signature': ['algorithm', ({ claims }) => `${base64({ alg: 'none' })}.${base64(claims)}.`],
    'a wrong signature': [
      'signature',
      ({ header, claims }) =>
        new SignJWT(claims).setProtectedHeader({ ...header, alg: 'ES256' }).sign(privateKey)
    ],
    'a symmetric signature': [
      'algorithm',
      ({ claims }) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(acme.client.secret))
    ],
    'an unknown key': [
      'key-not-found',
      ({ header, claims }) => ({ header: { ...header, kid: 'unknown' }, claims })
    ],
    'an encrypted one': ['encrypted', () => 'e30.e30.e30.e30.e30'],
    'no token at all': ['response', () => ''],
    'what is no token': ['token', () => 'x.y.z']
  }
  for (const [what, [, alteration]] of Object.entries(cases)) {
    acme.alter.idToken = alteration
    const browser = aBrowser(app)
    t.equal((await browser.through('acme', 'nora')).problem, 'provider-refused', what)
    t.equal(await browser.me(), undefined, what)
  }
  t.equal(await app.db.$count(providerAccounts), 0)
  const records = await app.db
    .select({ reason: activity.reason, details: activity.details })
    .from(activity)
    .where(eq(activity.action, 'auth.provider-refused'))
    .orderBy(asc(activity.id))
  t.same(
    records,
    Object.values(cases).map(([reason]) => ({ reason, details: { provider: 'acme' } })),
    'each with its reason'
  )

  acme.alter.idToken = ({ header: { kid, ...header }, claims }) => ({ header, claims })
  t.equal((await aBrowser(app).through('acme', 'nora')).problem, undefined, 'without kid: one key')
})

t.test('a key that was rotated with notice is accepted', async (t) => {
  const { acme, app } = await ownPortal(t)
  await acme.rotateKeys()
  t.equal((await aBrowser(app).through('acme', 'nora')).problem, undefined)
  const { publicKey } = await generateKeyPair('ES256')
  const other = { ...(await exportJWK(publicKey)), kid: 'other', alg: 'ES256', use: 'sig' }
  acme.alter.keys = (keys) => [...keys, other]
  t.equal((await aBrowser(app).through('acme', 'nora')).problem, undefined)
})

t.test('the client authenticates as the provider prefers', async (t) => {
  for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
    const { acme, app } = await ownPortal(t, method)
    acme.alter.discovery = (body) => ({
      ...body,
      token_endpoint_auth_methods_supported: [method]
    })
    t.equal((await aBrowser(app).through('acme', 'nora')).problem, undefined, method)
  }
})

t.test('names are proposals, without control characters', async (t) => {
  const { acme, app } = await aPortal(t)
  const [nora] = acme.people
  if (nora) nora.claims.name = ' No\0ra\u202E Fie\nld '
  const browser = aBrowser(app)
  await browser.through('acme', 'nora')
  t.match(await browser.me(), { user: { name: 'Nora Field' } })
})

t.test('a provider without a name has other claims that name its user', async (t) => {
  const { acme, app } = await aPortal(t)
  const rows: [string, Record<string, unknown>][] = [
    ['Nora Field', { given_name: 'Nora', family_name: 'Field', preferred_username: 'nfield' }],
    ['Nora', { given_name: 'Nora', family_name: '' }],
    ['nfield', { preferred_username: 'nfield', nickname: 'Nory' }],
    ['Nory', { name: ' ', preferred_username: 'nora.field@example.com', nickname: 'Nory' }],
    ['nora.field', { preferred_username: 7, nickname: null }]
  ]
  for (const [i, [name, said]] of rows.entries()) {
    acme.alter.idToken = ({ header, claims: { name: _, ...claims } }) => ({
      header,
      claims: { ...claims, ...said, sub: `nora-${i}`, email: `nora.field@host-${i}.example` }
    })
    const browser = aBrowser(app)
    t.equal((await browser.through('acme', 'nora')).problem, undefined)
    t.match(await browser.me(), { user: { name } }, JSON.stringify(said))
  }
})

t.test('null says nothing in what a provider returns', async (t) => {
  const { acme, app } = await ownPortal(t)
  acme.alter.discovery = (body) => ({ ...body, op_policy_uri: null, scopes_supported: null })
  const rows: Record<string, unknown>[] = [
    { refresh_token: null },
    { scope: null },
    { scope: ['openid', 'email'] }, // as Twitch writes it
    { expires_in: null }
  ]
  for (const more of rows) {
    acme.alter.tokenResponse = (body) => ({ ...body, ...more })
    const { problem } = await aBrowser(app).through('acme', 'nora')
    t.equal(problem, undefined, JSON.stringify(more))
  }
  acme.alter.tokenResponse = (body) => ({ ...body, id_token: null })
  t.equal((await aBrowser(app).through('acme', 'nora')).problem, 'provider-refused')
})

t.test('cancelling at the provider leads back, and nothing is recorded as text', async (t) => {
  const { app } = await aPortal(t)
  const browser = aBrowser(app)
  t.equal((await browser.through('acme')).problem, 'provider-refused')
  const [record] = await app.db
    .select({ reason: activity.reason })
    .from(activity)
    .where(eq(activity.action, 'auth.provider-refused'))
  t.equal(record?.reason, 'denied')
})

t.test('UserInfo vouches for its own address, and never for that of the ID token', async (t) => {
  const roles = { claim: 'groups', map: { staff: 'user' } } // makes the portal read UserInfo
  const { acme, app } = await portalOf(t, { acme: { trustsEmail: 'claim', roles } })
  const email = 'nora.field@example.com'
  await confirmed(app.database, await aUser(app.database, email))
  const says = (idToken: object, userInfo: object) => {
    acme.alter.idToken = ({ header, claims: { email: _, email_verified: __, ...claims } }) => ({
      header,
      claims: { ...claims, ...idToken }
    })
    acme.alter.userInfo = ({ sub }) => ({ sub, ...userInfo })
  }
  const problem = async () => (await aBrowser(app).through('acme', 'nora')).problem
  says({ email }, { email: 'other@example.com', email_verified: true })
  t.equal(await problem(), 'provider-email-missing', 'the word is about another address')
  says({ email_verified: true }, { email })
  t.equal(await problem(), 'provider-email-missing', 'the word is of the ID token')
  says({}, { email, email_verified: true })
  t.equal(await problem(), undefined, 'both are of UserInfo')
})

t.test('a token of another type is not an ID token', async (t) => {
  const { acme, app } = await aPortal(t)
  for (const typ of ['logout+jwt', 'at+jwt', 'application/at+jwt', 'AT+JWT']) {
    acme.alter.idToken = ({ header, claims }) => ({ header: { ...header, typ }, claims })
    t.equal((await aBrowser(app).through('acme', 'nora')).problem, 'provider-refused', typ)
  }
  acme.alter.idToken = ({ header, claims }) => ({ header: { ...header, typ: 'JWT' }, claims })
  t.equal((await aBrowser(app).through('acme', 'nora')).problem, undefined)
})
