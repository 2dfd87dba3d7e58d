// Not on PGlite: it uses no database.

import { createHash, randomUUID } from 'node:crypto'
import t from 'tap'
import { createSessionTokens } from '../../../src/domain/sessions/signed-tokens.ts'

const issuer = 'https://portal.example.com'
const secret = 'x'.repeat(43)
const session = {
  userId: randomUUID(),
  createdAt: new Date('2026-01-01T00:00:00.900Z'),
  expiresAt: new Date('2026-01-08T00:00:00.900Z')
}
const claims = {
  iss: issuer,
  aud: 'portal-api',
  sub: session.userId,
  jti: secret,
  iat: 1_767_225_600,
  exp: 1_767_830_400
}
const token = `head.body.${'s'.repeat(43)}`

/** Tokens signed by `kid` with these claims. */
function signedBy(kid: unknown, signed: unknown = claims) {
  let verifications = 0
  const tokens = createSessionTokens({
    issuer,
    kids: ['new', 'old'],
    longestSeconds: 604_800,
    sign: (written) => JSON.stringify(written),
    headerOf: () => ({ kid }),
    verify(key) {
      verifications++
      if (key !== kid) throw new Error('another key')
      return signed
    }
  })
  return { ...tokens, verifications: () => verifications }
}

t.test('a token has the times of its session in whole seconds', async (t) => {
  t.same(JSON.parse(signedBy('new').sign(session, secret)), claims)
})

t.test('a verified token names its session, by each key', async (t) => {
  const tokenHash = createHash('sha256').update(secret).digest('hex')
  for (const kid of ['new', 'old']) {
    t.same(signedBy(kid).verify(token), { userId: session.userId, tokenHash })
  }
  t.same(signedBy('new').verifyAll(['rubbish', token]), [{ userId: session.userId, tokenHash }])
})

t.test('a signature is checked once, and that of another text again', async (t) => {
  const { verify, verifications } = signedBy('new')
  t.equal(verify(token), verify(token), 'the same object: what is kept is known by it')
  t.equal(verifications(), 1)
  verify(token.replace('body', 'bodY'))
  t.equal(verifications(), 2)
})

t.test('a rejected token is not remembered', async (t) => {
  const { verify, verifications } = signedBy('new', { ...claims, iss: 'https://evil.example' })
  for (let n = 0; n < 3; n++) t.equal(verify(token), undefined)
  t.equal(verifications(), 3)
})

t.test('tokens of another form or of an unknown key are not verified', async (t) => {
  const { verify, verifications } = signedBy('new')
  for (const text of ['', 'a.b', `${token}.x`, ` ${token}`, `${token}=`, token.slice(0, -1)]) {
    t.equal(verify(text), undefined, text)
  }
  t.equal(verify(`${'h'.repeat(257)}.b.${'s'.repeat(43)}`), undefined)
  t.equal(verifications(), 0)
  for (const kid of ['k9', 'constructor', ['new'], undefined, null]) {
    const other = signedBy(kid)
    t.equal(other.verify(token), undefined)
    t.equal(other.verifications(), 0)
  }
})

t.test('the claims are exactly those that the portal writes', async (t) => {
  const wrong: unknown[] = [
    null,
    'text',
    [claims],
    {},
    { ...claims, aud: 'other' },
    { ...claims, sub: session.userId.toUpperCase() },
    { ...claims, jti: `${secret}x` },
    { ...claims, iat: -1 },
    { ...claims, exp: String(claims.exp) },
    { ...claims, exp: claims.exp + 0.5 },
    { ...claims, exp: claims.exp + 1 },
    { ...claims, role: 'admin' }
  ]
  for (const each of wrong) {
    t.equal(signedBy('new', each).verify(token), undefined, JSON.stringify(each))
  }
})
