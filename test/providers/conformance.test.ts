import t from 'tap'
import { newKey } from '../../src/dev-provider/provider.ts'
import type { SigningKey } from '../../src/dev-provider/provider.ts'
import { ownApp } from '../support/app.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import type { TestProvider } from '../support/providers/oidc.ts'
import { forgeToken, publicPart, signToken } from '../support/providers/tokens.ts'
import type { Token } from '../support/providers/tokens.ts'

// The tests for relying parties of the OpenID conformance suite (basic, configuration and form post
// profiles), each by its name there without `oidcc-client-test-`, and some that it does not have.

interface Case {
  /** How the provider differs from one that follows the specification. */
  set?(provider: TestProvider): unknown
  options?: Parameters<typeof startOidcProvider>[1]
  /** Undefined when the user is signed in. */
  problem?: 'provider-refused' | 'provider-unavailable'
}

const seconds = () => Math.floor(Date.now() / 1000)
const withClaims =
  (change: (claims: Token['claims']) => object) =>
  ({ alter }: TestProvider) => {
    alter.idToken = ({ header, claims }) => ({ header, claims: { ...claims, ...change(claims) } })
  }
const without = (name: string) => withClaims(() => ({ [name]: undefined }))
/** The ID token has no address, so that UserInfo is read. */
const withoutEmail = without('email')

const refused = (set: NonNullable<Case['set']>): Case => ({ set, problem: 'provider-refused' })
const cases: Record<string, Case> = {
  'no change': {},
  'client-secret-basic': { options: { authMethod: 'client_secret_basic' } },
  'client-secret-post': { options: { authMethod: 'client_secret_post' } },
  'wrong client secret': refused((provider) => {
    provider.trouble = (path) => (path === '/token' ? 401 : undefined)
  }),
  'nonce-invalid': refused(withClaims(() => ({ nonce: 'another' }))),
  'nonce missing': refused(without('nonce')),
  'invalid-iss': refused(withClaims(({ iss }) => ({ iss: `${String(iss)}/other` }))),
  'missing-iss': refused(without('iss')),
  'missing-sub': refused(without('sub')),
  'invalid-aud': refused(withClaims(() => ({ aud: 'another' }))),
  'missing-aud': refused(without('aud')),
  'several audiences without azp': refused(withClaims(({ aud }) => ({ aud: [aud, 'another'] }))),
  'azp of another client': refused(
    withClaims(({ aud }) => ({ aud: [aud, 'another'], azp: 'another' }))
  ),
  'missing-iat': refused(without('iat')),
  'missing exp': refused(without('exp')),
  expired: refused(withClaims(() => ({ exp: seconds() - 600 }))),
  'not valid yet': refused(withClaims(() => ({ nbf: seconds() + 600 }))),
  'idtoken-sig-none': refused(({ alter }) => {
    alter.idToken = ({ header, claims }) => ({ header: { ...header, alg: 'none' }, claims })
  }),
  'invalid-sig-es256': refused(({ alter }) => {
    alter.idToken = forgeToken
  }),
  'invalid-sig-hs256': refused(({ alter, client }) => {
    alter.idToken = ({ header, claims }) => {
      const k = Buffer.from(client.secret).toString('base64url')
      const key = { kty: 'oct', k, kid: String(header.kid) }
      return signToken({ header: { ...header, alg: 'HS256' }, claims }, key)
    }
  }),
  'signature missing': refused(({ alter }) => {
    alter.idToken = async (token) => `${(await forgeToken(token)).split('.', 2).join('.')}.`
  }),
  'no ID token': refused(({ alter }) => {
    alter.tokenResponse = ({ id_token: _, ...body }) => body
  }),
  'idtoken-sig-rs256': { set: signWithRsa },
  'kid-absent-single-jwks': {
    set: ({ alter }) => {
      alter.idToken = ({ header: { kid: _, ...header }, claims }) => ({ header, claims })
    }
  },
  'kid-absent-multiple-jwks': refused(async ({ alter }) => {
    const other = await newKey()
    alter.keys = (keys) => [publicPart(other), ...keys]
    alter.idToken = ({ header: { kid: _, ...header }, claims }) => ({ header, claims })
  }),
  'unknown kid': refused(({ alter }) => {
    alter.idToken = ({ header, claims }) => ({ header: { ...header, kid: 'unknown' }, claims })
  }),
  'signing-key-rotation-just-before-signing': { set: (provider) => provider.rotateKeys() },
  'discovery-issuer-mismatch': {
    set: ({ alter }) => {
      alter.discovery = (body) => ({ ...body, issuer: 'https://other.example' })
    },
    problem: 'provider-unavailable'
  },
  'discovery without keys': refused(({ alter }) => {
    alter.discovery = ({ jwks_uri: _, ...body }) => body
  }),
  'issuer with a path': { options: { path: '/realms/staff' } },
  'scope-userinfo-claims': { set: withoutEmail },
  'userinfo-invalid-sub': refused((provider) => {
    withoutEmail(provider)
    provider.alter.userInfo = (body) => ({ ...body, sub: 'another' })
  }),
  'userinfo without sub': refused((provider) => {
    withoutEmail(provider)
    provider.alter.userInfo = ({ sub: _, ...body }) => body
  })
}

/** RS256 is the default of providers. */
async function signWithRsa(provider: TestProvider) {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256'
  }
  const { subtle } = globalThis.crypto
  const pair = await subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const key = await subtle.exportKey('jwk', pair.privateKey)
  const shown = await subtle.exportKey('jwk', pair.publicKey)
  const kid = 'rsa'
  provider.alter.discovery = (body) => ({
    ...body,
    id_token_signing_alg_values_supported: ['RS256']
  })
  provider.alter.keys = () => [{ ...shown, kid } as SigningKey]
  provider.alter.idToken = ({ claims }) =>
    signToken({ header: { alg: 'RS256', kid }, claims }, { ...key, kid } as SigningKey)
}

const all = await Promise.all(
  Object.entries(cases).map(async ([name, { set, options, problem }], i) => {
    const key = `case-${i}`
    const provider = await startOidcProvider(t, { ...options, keys: [key] })
    const nora = provider.people.find(({ id }) => id === 'nora')
    if (nora) nora.claims.email = `${key}@example.com`
    await set?.(provider)
    return { name, key, provider, problem, ip: `192.0.2.${i + 1}` }
  })
)
const app = await ownApp(t, {
  providers: all.map(({ key, provider }) =>
    configured.oidc(provider, { key, trustsEmail: 'claim' })
  )
})

for (const { name, key, problem, ip } of all) {
  t.test(`conformance: ${name}`, async (t) => {
    const browser = aBrowser(app)
    if (problem === 'provider-unavailable') {
      await t.rejects(browser.through(key, 'nora', { ip }), { message: problem })
    } else {
      const result = await browser.through(key, 'nora', { ip })
      t.equal(result.problem, problem)
    }
    t.equal((await browser.me())?.user.email, problem ? undefined : `${key}@example.com`)
  })
}

t.test(
  'conformance: signing-key-rotation, and the client asks for the scopes it uses',
  async (t) => {
    const { key, provider } = all[0] ?? {}
    if (key === undefined || !provider) throw new Error('no case')
    const before = provider.requests.filter((path) => path === '/jwks').length
    const { url } = (
      await app.inject({
        method: 'POST',
        url: `/api/auth/providers/${key}`,
        remoteAddress: '192.0.2.200',
        payload: { intent: 'sign-in' }
      })
    ).json() as { url: string }
    const query = new URL(url).searchParams
    t.equal(query.get('scope'), 'openid email profile')
    t.equal(query.get('response_type'), 'code')
    t.equal(query.get('code_challenge_method'), 'S256')
    t.ok(query.get('nonce') && query.get('state'))
    await provider.rotateKeys()
    const result = await aBrowser(app).through(key, 'nora', { ip: '192.0.2.200' })
    const after = provider.requests.filter((path) => path === '/jwks').length
    // The keys were read less than a minute ago, so an unknown one does not make the client read again.
    t.equal(result.problem, 'provider-refused')
    t.equal(after, before)
  }
)
