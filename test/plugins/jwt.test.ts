import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import { subKey } from '../../src/config/keys.ts'
import { aUser, signedIn, ownApp, testDatabase } from '../support/app.ts'
import { testConfig } from '../support/test-config.ts'

const keys = [
  { kid: 'new', secret: randomBytes(32) },
  { kid: 'old', secret: randomBytes(32) }
] as const
const database = await testDatabase(t)
const app = await ownApp(t, { SECRET_KEYS: [...keys] }, database)
const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

const now = Math.floor(Date.now() / 1000)
const claims = {
  iss: 'http://localhost:3000',
  aud: 'portal-api',
  sub: randomUUID(),
  jti: randomBytes(32).toString('base64url'),
  iat: now,
  exp: now + 3600
}
const header = { alg: 'HS256', typ: 'portal-session+jwt', kid: 'new' }

function token({ head = header as object, key = subKey(keys[0], 'jwt') } = {}) {
  const input = `${encode(head)}.${encode(claims)}`
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
}

t.test('a token signed with any of the keys is accepted', async (t) => {
  t.match(app.sessionTokens.verify(token()), {
    userId: claims.sub,
    tokenHash: createHash('sha256').update(claims.jti).digest('hex')
  })
  t.ok(
    app.sessionTokens.verify(
      token({ head: { ...header, kid: 'old' }, key: subKey(keys[1], 'jwt') })
    )
  )
})

t.test(
  'the token has exactly the documented header and claims, with times in whole seconds',
  async (t) => {
    const session = {
      userId: claims.sub,
      createdAt: new Date('2026-01-01T00:00:00.900Z'),
      expiresAt: new Date('2026-01-08T00:00:00.900Z')
    }
    const parts = app.sessionTokens
      .sign(session, claims.jti)
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    t.same(parts, [header, { ...claims, iat: 1767225600, exp: 1767830400 }])
  }
)

t.test('during a rolling key rotation every session is valid on every instance', async (t) => {
  const [k1, k2] = [
    { kid: 'k1', secret: randomBytes(32) },
    { kid: 'k2', secret: randomBytes(32) }
  ]
  const shared = { ...database, close: async () => {} }
  const instance = (SECRET_KEYS: (typeof k1)[]) => ownApp(t, { SECRET_KEYS }, shared)
  const steps = await Promise.all([[k1], [k1, k2], [k2, k1]].map(instance))
  const user = await aUser(database)
  const cookies: string[] = []
  for (const [i, app] of steps.entries()) {
    // During a rolling restart one instance is a step ahead.
    const pair = [app, steps[i + 1] ?? app]
    for (const app of pair) cookies.push(await signedIn(app, user.email))
    for (const cookie of cookies) {
      for (const app of pair) {
        t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 200)
      }
    }
  }
  const last = await instance([k2])
  const statuses = []
  for (const cookie of cookies) {
    statuses.push((await last.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode)
  }
  t.same(
    statuses,
    [401, 401, 401, 200, 200, 200],
    'with the old key dropped those it signed are over'
  )
})

t.test('a session stays valid until its signing key is removed', async (t) => {
  const user = await aUser(database)
  const cookie = await signedIn(app, user.email)
  const third = { kid: 'third', secret: randomBytes(32) }
  const shared = { ...database, close: async () => {} }
  const rotated = await ownApp(t, testConfig({ SECRET_KEYS: [third, keys[0]] }), shared)
  t.equal((await rotated.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 200)
  const dropped = await ownApp(t, testConfig({ SECRET_KEYS: [third] }), shared)
  t.equal((await dropped.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 401)
})
