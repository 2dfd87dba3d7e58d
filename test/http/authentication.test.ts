import t from 'tap'
import type { Principal } from '../../src/domain/sessions/principals.ts'
import type { SessionToken } from '../../src/domain/sessions/sessions.ts'
import { createAuthentication, requirePrincipal } from '../../src/http/authentication.ts'
import type { Authenticated } from '../../src/http/authentication.ts'

const now = Date.parse('2026-01-31T12:00:00Z')
const token: SessionToken = { userId: 'ada', tokenHash: '00' }
const principal = {
  user: { id: 'ada' },
  session: { id: 'session', userId: 'ada' },
  expiresAt: now + 3_600_000
} as Principal

interface Found {
  error?: Error
  principal?: Principal | undefined
  /** A write that must be awaited, because the session would idle out otherwise. */
  written?: Promise<void>
}

/** A request with these cookies after authentication. */
async function asked(cookies: string[], found: Found = { principal }) {
  const request: Authenticated = {
    sessionCookies: () => cookies,
    principal: null,
    tokenProblem: null
  }
  const seen: number[] = []
  const authenticate = createAuthentication({
    tokens: { verify: (text) => (text === 'good' ? token : undefined) },
    findPrincipal: (_token, done) => done(found.error, found.principal, now),
    markSeen: (_principal, at) => {
      seen.push(at)
      return found.written
    },
    idleSeconds: 600
  })
  const error = await new Promise<Error | undefined>((resolve) => authenticate(request, resolve))
  return { request, seen, error, code: error && 'code' in error ? error.code : undefined }
}

t.test('a good token puts the principal on the request', async (t) => {
  const { request, seen, error } = await asked(['good'])
  t.equal(error, undefined)
  t.same(request.principal, {
    user: principal.user,
    session: { ...principal.session, idleExpiresAt: new Date(now + 600_000) },
    tokenHash: token.tokenHash,
    now
  })
  t.same(seen, [now])
})

t.test('the request has the reason why the cookie was rejected', async (t) => {
  const cases = [
    [[], null],
    [['forged'], 'invalid-token'],
    [['good', 'good'], 'several-cookies']
  ] as const
  for (const [cookies, tokenProblem] of cases) {
    const { request, code } = await asked([...cookies])
    t.equal(code, 'unauthenticated')
    t.equal(request.tokenProblem, tokenProblem)
    t.equal(request.principal, null)
  }
})

t.test('the token of an ended session does not sign in, but is not an invalid token', async (t) => {
  const { request, code, seen } = await asked(['good'], { principal: undefined })
  t.equal(code, 'unauthenticated')
  t.equal(request.tokenProblem, null)
  t.same(seen, [])
})

t.test('an unavailable database is reported as it is', async (t) => {
  const error = new Error('unavailable')
  t.equal((await asked(['good'], { error })).error, error)
  const written = Promise.reject(error)
  t.equal((await asked(['good'], { principal, written })).error, error)
})

t.test('reading a principal that the policy does not require throws', async (t) => {
  t.throws(() => requirePrincipal({ principal: null }), { message: /access policy/ })
})
