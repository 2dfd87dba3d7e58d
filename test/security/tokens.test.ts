import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { subKey } from '../../src/config/keys.ts'
import { aUser, signedIn, ownApp, testDatabase } from '../support/app.ts'

const keys = [
  { kid: 'new', secret: randomBytes(32) },
  { kid: 'old', secret: randomBytes(32) }
] as const
const app = await ownApp(t, { SECRET_KEYS: [...keys] })
const user = await aUser(app.database)
const real = (await signedIn(app, user.email)).split('=')[1] ?? ''
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())
const encode = (part: unknown) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')

// The session is active, so only the check of the token prevents a 200.
const header = decode(real.split('.')[0])
const claims = decode(real.split('.')[1])
interface Parts {
  head?: unknown
  body?: unknown
  key?: Uint8Array
  algorithm?: string
}
function token({
  head = header,
  body = claims,
  key = subKey(keys[0], 'jwt'),
  algorithm = 'sha256'
}: Parts = {}) {
  const input = `${encode(head)}.${encode(body)}`
  return `${input}.${createHmac(algorithm, key).update(input).digest('base64url')}`
}
const without = (name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
const [head64 = '', body64 = '', signature = ''] = token().split('.')
const otherLastBits = String.fromCharCode(signature.charCodeAt(42) + 1) // two bits of the last letter are unused
const me = (value: string) =>
  app.inject({ url: '/api/auth/me', headers: { cookie: `portal_session=${value}` } })

t.test('the unmodified token is valid, signed with each key', async (t) => {
  t.equal((await me(real)).statusCode, 200)
  t.equal((await me(token())).statusCode, 200)
  t.equal(
    (await me(token({ head: { ...header, kid: 'old' }, key: subKey(keys[1], 'jwt') }))).statusCode,
    200
  )
})

const hostile: Record<string, string> = {
  'signed with another key': token({ key: randomBytes(32) }),
  'signed with an empty key': token({ key: Buffer.alloc(0) }),
  'signed with the root secret instead of the sub-key': token({ key: keys[0].secret }),
  'signed with the key of another purpose': token({ key: subKey(keys[0], 'cursor') }),
  'signed by one key under the name of another': token({ head: { ...header, kid: 'old' } }),
  'of an unknown kid': token({ head: { ...header, kid: 'k9' } }),
  'of a kid from the prototype': token({ head: { ...header, kid: 'constructor' } }),
  'of a kid that is a path': token({
    head: { ...header, kid: '../../dev/null' },
    key: Buffer.alloc(0)
  }),
  'of a kid that is a list': token({ head: { ...header, kid: ['new'] } }),
  'without kid': token({ head: { alg: 'HS256', typ: header.typ } }),
  'of algorithm none': `${encode({ ...header, alg: 'none' })}.${body64}.`,
  'of algorithm nOnE': `${encode({ ...header, alg: 'nOnE' })}.${body64}.${signature}`,
  'of algorithm none with a signature': token({ head: { ...header, alg: 'none' } }),
  'of algorithm HS512': token({ head: { ...header, alg: 'HS512' }, algorithm: 'sha512' }),
  'of algorithm RS256': token({ head: { ...header, alg: 'RS256' } }),
  'without an algorithm': token({ head: { typ: header.typ, kid: 'new' } }),
  'of another type': token({ head: { ...header, typ: 'JWT' } }),
  'without a type': token({ head: { alg: 'HS256', kid: 'new' } }),
  'with a critical extension': token({ head: { ...header, crit: ['x'], x: 1 } }),
  'that brings its own key': token({
    head: { ...header, kid: 'mine', jwk: { kty: 'oct', k: encode('x'.repeat(32)) } },
    key: Buffer.from('x'.repeat(32))
  }),
  'that says where its key is': token({
    head: { ...header, kid: 'mine', jku: 'https://evil.example/keys' }
  }),
  'whose header is a list': token({ head: [header] }),
  'whose header is null': token({ head: null }),
  'whose header is no JSON': token({ head: '{' }),
  'of another issuer': token({ body: { ...claims, iss: 'https://evil.example' } }),
  'of an issuer that begins like ours': token({
    body: { ...claims, iss: `${claims.iss}.evil.example` }
  }),
  'without an issuer': token({ body: without('iss') }),
  'for another audience': token({ body: { ...claims, aud: 'other' } }),
  'for several audiences': token({ body: { ...claims, aud: ['portal-api', 'other'] } }),
  'without an audience': token({ body: without('aud') }),
  'with an object as sub': token({ body: { ...claims, sub: {} } }),
  'with null as sub': token({ body: { ...claims, sub: null } }),
  "with another user's sub": token({ body: { ...claims, sub: randomUUID() } }),
  'with an uppercase sub': token({ body: { ...claims, sub: claims.sub.toUpperCase() } }),
  'without jti': token({ body: without('jti') }),
  'with a jti of another session': token({
    body: { ...claims, jti: randomBytes(32).toString('base64url') }
  }),
  'with an array as jti': token({ body: { ...claims, jti: [claims.jti] } }),
  'without iat': token({ body: without('iat') }),
  'without exp': token({ body: without('exp') }),
  'with an additional claim': token({ body: { ...claims, role: 'admin' } }),
  'that is not valid yet': token({ body: { ...claims, nbf: claims.exp } }),
  'with a string as exp': token({ body: { ...claims, exp: String(claims.exp) } }),
  'with a fraction as exp': token({ body: { ...claims, exp: claims.exp - 0.5 } }),
  'with an endless lifetime': token({ body: { ...claims, exp: 1e300 } }),
  'with a lifetime longer than any configuration allows': token({
    body: { ...claims, exp: claims.iat + 2_592_001 }
  }),
  'with a negative iat': token({ body: { ...claims, iat: -1 } }),
  'with an array as claims': token({ body: [claims] }),
  'with a string as claims': token({ body: '"text"' }),
  'whose claims are no JSON': token({ body: '{"iss":' }),
  'with padding': `${token()}=`,
  'with a space inside': token().replace('.', '. '),
  'with a truncated signature': token().slice(0, -1),
  'without a signature': `${head64}.${body64}.`,
  'of two parts': `${head64}.${body64}`,
  'of four parts': `${token()}.x`,
  'in base64 instead of base64url': `${head64}.${body64}.${'+/'.repeat(21)}+`,
  'over the length limit': token({ head: { ...header, x: 'x'.repeat(1500) } }),
  'that is empty': '',
  'that is a word': 'null'
}

for (const [what, value] of Object.entries(hostile)) {
  t.test(`a token ${what} signs nobody in: the common 401, and the cookie is kept`, async (t) => {
    const response = await me(value)
    t.equal(response.statusCode, 401)
    t.equal(response.headers['set-cookie'], undefined)
    const { instance, ...problem } = response.json()
    t.same(problem, {
      type: '/problems/unauthenticated',
      title: 'Not signed in',
      status: 401,
      code: 'unauthenticated',
      detail: 'You are not signed in, or your session has ended. Sign in and try again.'
    })
  })
}

t.test(
  'a re-encoded signature opens no second session, because the secret inside decides',
  async (t) => {
    const twin = `${head64}.${body64}.${signature.slice(0, 42)}${otherLastBits}`
    t.equal((await me(twin)).statusCode, 200)
    await app.inject({
      method: 'POST',
      url: '/api/auth/logout',
      headers: { cookie: `portal_session=${token()}` }
    })
    t.equal((await me(twin)).statusCode, 401)
    t.equal((await me(real)).statusCode, 401, 'though its text was remembered')
  }
)

const day = 86_400
for (const [change, [first, second]] of Object.entries({
  raised: [7 * day, 30 * day],
  lowered: [30 * day, 7 * day]
}) as [string, [number, number]][]) {
  t.test(
    `while the session lifetime is ${change} instance by instance, sessions are valid and end on all of them`,
    async (t) => {
      const database = await testDatabase(t)
      const shared = { ...database, close: async () => {} }
      const instance = (SESSION_ABSOLUTE_SECONDS: number) =>
        ownApp(t, { SECRET_KEYS: [...keys], SESSION_ABSOLUTE_SECONDS }, shared)
      const [old, restarted] = [await instance(first), await instance(second)]
      const { email } = await aUser(database)
      const status = async (on: typeof app, cookie: string) =>
        (await on.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode
      for (const [begun, other] of [
        [old, restarted],
        [restarted, old]
      ] as const) {
        const cookie = await signedIn(begun, email)
        t.same([await status(begun, cookie), await status(other, cookie)], [200, 200])
        const logout = await other.inject({
          method: 'POST',
          url: '/api/auth/logout',
          headers: { cookie }
        })
        t.equal(logout.statusCode, 204)
        t.same(
          [await status(begun, cookie), await status(other, cookie)],
          [401, 401],
          'after a logout at the other instance'
        )

        const replaced = await signedIn(begun, email)
        const next = await signedIn(other, email, { cookie: replaced })
        t.same(
          [await status(begun, replaced), await status(begun, next)],
          [401, 200],
          'after a login at the other instance'
        )
      }
    }
  )
}

t.test('the expiry in the database decides, whatever the token says', async (t) => {
  const { id, email } = await aUser(app.database)
  const cookie = await signedIn(app, email)
  const { exp, ...rest } = decode(cookie.split('.')[1])
  t.equal((await me(token({ body: { ...rest, exp: exp + day } }))).statusCode, 200)
  await app.db
    .update(sessions)
    .set({ expiresAt: sql`now()` })
    .where(eq(sessions.userId, id))
  t.equal((await me(token({ body: { ...rest, exp: exp + 2 * day } }))).statusCode, 401)
})

t.test('rejected tokens are recorded once a minute, by kind and without the token', async (t) => {
  const records = await app.db
    .select()
    .from(activity)
    .where(and(eq(activity.action, 'auth.token-rejected'), eq(activity.reason, 'invalid-token')))
  t.equal(records.length, 1)
  t.match(records[0], {
    outcome: 'failure',
    actorType: 'anonymous',
    ip: '127.0.0.1',
    details: { route: 'GET /api/auth/me' }
  })
  t.notMatch(JSON.stringify(records), /eyJ/)
})
