import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import { subKey } from '../../src/keys.ts'
import { aUser, signedIn, testApp, testConfig, testDatabase } from '../helpers.ts'

const keys = [{ kid: 'new', secret: randomBytes(32) }, { kid: 'old', secret: randomBytes(32) }] as const
const database = await testDatabase(t)
const app = await testApp(t, { SECRET_KEYS: [...keys] }, database)
const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

const now = Math.floor(Date.now() / 1000)
const claims = { iss: 'http://localhost:3000', aud: 'portal-api', sub: randomUUID(), jti: randomBytes(32).toString('base64url'), iat: now, exp: now + 3600 }
const header = { alg: 'HS256', typ: 'portal-session+jwt', kid: 'new' }

function token ({ head = header as object, body = claims as unknown, key = subKey(keys[0], 'jwt'), algorithm = 'sha256' } = {}) {
  const input = `${encode(head)}.${encode(body)}`
  return `${input}.${createHmac(algorithm, key).update(input).digest('base64url')}`
}

t.test('a token made as the portal makes them is verified, by each of its keys', async (t) => {
  t.match(app.sessionTokens.verify(token()), { userId: claims.sub, tokenHash: Uint8Array })
  t.ok(app.sessionTokens.verify(token({ head: { ...header, kid: 'old' }, key: subKey(keys[1], 'jwt') })))
})

t.test('the token has exactly the promised header and claims, and times of the session in whole seconds', async (t) => {
  const session = { userId: claims.sub, createdAt: new Date('2026-01-01T00:00:00.900Z'), expiresAt: new Date('2026-01-08T00:00:00.900Z') }
  const parts = app.sessionTokens.sign(session, claims.jti).split('.').slice(0, 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  t.same(parts, [header, { ...claims, iat: 1767225600, exp: 1767830400 }])
})

const { jti: _jti, ...withoutJti } = claims
const hostile: Record<string, string> = {
  'signed with another key': token({ key: randomBytes(32) }),
  'signed with the root secret instead of the sub-key': token({ key: keys[0].secret }),
  'signed by one key under the name of another': token({ head: { ...header, kid: 'old' } }),
  'of an unknown kid': token({ head: { ...header, kid: 'k9' } }),
  'of a kid from the prototype': token({ head: { ...header, kid: 'constructor' } }),
  'without kid': token({ head: { alg: 'HS256', typ: header.typ } }),
  'of algorithm none': `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`,
  'of algorithm none with a signature': token({ head: { ...header, alg: 'none' } }),
  'of algorithm HS512': token({ head: { ...header, alg: 'HS512' }, algorithm: 'sha512' }),
  'of another type': token({ head: { ...header, typ: 'JWT' } }),
  'with a critical extension': token({ head: { ...header, crit: ['x'], x: 1 } }),
  'of another issuer': token({ body: { ...claims, iss: 'https://evil.example' } }),
  'for another audience': token({ body: { ...claims, aud: 'other' } }),
  'for several audiences': token({ body: { ...claims, aud: ['portal-api', 'other'] } }),
  'with an object for sub': token({ body: { ...claims, sub: {} } }),
  'with a sub that is no id': token({ body: { ...claims, sub: 'admin' } }),
  'without jti': token({ body: withoutJti }),
  'with a further claim': token({ body: { ...claims, role: 'admin' } }),
  'with a text for exp': token({ body: { ...claims, exp: String(claims.exp) } }),
  'with an endless lifetime': token({ body: { ...claims, exp: 1e300 } }),
  'with a longer lifetime than any session': token({ body: { ...claims, exp: now + 604_801 } }),
  'with an array for claims': token({ body: [claims] }),
  'with padding': `${token()}=`,
  'with blanks around it': ` ${token()} `,
  'of two parts': token().split('.').slice(0, 2).join('.'),
  'of four parts': `${token()}.x`,
  'over the length limit': token({ body: { ...claims, jti: 'x'.repeat(2000) } }),
  'that is empty': ''
}
for (const [what, value] of Object.entries(hostile)) {
  t.test(`a token ${what} is refused without an error`, async (t) => {
    t.equal(app.sessionTokens.verify(value), undefined)
    t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie: `portal_session=${value}` } })).statusCode, 401)
  })
}

t.test('after a rotation a session of the former first key still counts, and with that key dropped no longer', async (t) => {
  const user = await aUser(database)
  const cookie = await signedIn(app, user.email)
  const third = { kid: 'third', secret: randomBytes(32) }
  const shared = { ...database, close: async () => {} }
  const rotated = await testApp(t, testConfig({ SECRET_KEYS: [third, keys[0]] }), shared)
  t.equal((await rotated.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 200)
  const dropped = await testApp(t, testConfig({ SECRET_KEYS: [third] }), shared)
  t.equal((await dropped.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 401)
})

t.test('a good token of somebody else\'s session secret does not open it', async (t) => {
  const user = await aUser(database)
  const cookie = await signedIn(app, user.email)
  const { jti } = JSON.parse(Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString())
  const forged = token({ body: { ...claims, jti } })
  t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie: `portal_session=${forged}` } })).statusCode, 401)
})
