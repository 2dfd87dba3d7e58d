import t from 'tap'
import { eq } from 'drizzle-orm'
import { activity } from '../../db/schema/activity.ts'
import { aUser, cookieOf, password, signedIn, testApp } from '../support/app.ts'

const app = await testApp(t)
const user = await aUser(app.database)
const good = await signedIn(app, user.email)
const token = good.split('=')[1] ?? ''
const me = (headers: Record<string, string>, url = '/api/auth/me') => app.inject({ url, headers })

t.test('the session cookie is found among other cookies', async (t) => {
  t.equal((await me({ cookie: `a=1; ${good}; b=2` })).statusCode, 200)
  t.equal((await me({ cookie: `${'x=1; '.repeat(500)}${good}` })).statusCode, 200)
})

const planted: Record<string, string> = {
  'the same cookie twice': `${good}; ${good}`,
  'another cookie before it': `portal_session=x; ${good}`,
  'another cookie after it': `${good}; portal_session=x`,
  'an empty cookie before it': `portal_session=; ${good}`,
  'a cookie with a space in its name': `portal_session =x; ${good}`
}
for (const [what, cookie] of Object.entries(planted)) {
  t.test(`${what} does not sign in, because one cookie was planted`, async (t) => {
    const response = await me({ cookie })
    t.equal(response.statusCode, 401)
    t.equal(response.headers['set-cookie'], undefined)
  })
}

t.test('a planted cookie is recorded', async (t) => {
  const records = await app.db.select().from(activity).where(eq(activity.reason, 'several-cookies'))
  t.match(records, [{ action: 'auth.token-rejected', outcome: 'failure' }])
})

const elsewhere: Record<string, Parameters<typeof me>> = {
  'the Authorization header': [{ authorization: `Bearer ${token}` }],
  'the query': [{}, `/api/auth/me?portal_session=${token}`],
  'a header of its own': [{ 'x-portal-session': token, 'x-session': token }],
  'the cookie of production': [{ cookie: `__Host-portal_session=${token}` }],
  'the device cookie': [{ cookie: `portal_device=${token}` }],
  'a cookie in other letters': [{ cookie: `Portal_Session=${token}` }],
  'a cookie with a longer name': [{ cookie: `portal_session_=${token}` }],
  'a cookie with the name percent-encoded': [{ cookie: `portal%5Fsession=${token}` }]
}
for (const [where, request] of Object.entries(elsewhere)) {
  t.test(`the token in ${where} signs nobody in`, async (t) =>
    t.equal((await me(...request)).statusCode, 401)
  )
}

for (const [what, value] of Object.entries({
  quoted: `"${token}"`,
  'percent-encoded': token.replace('.', '%2E'),
  'with a comma': `${token},x`,
  'over 1400 letters': `${token}.${'x'.repeat(1400)}`
})) {
  t.test(`the token ${what} is not the token`, async (t) =>
    t.equal((await me({ cookie: `portal_session=${value}` })).statusCode, 401)
  )
}

t.test('the cookie of a login has no Domain and no personal data', async (t) => {
  const response = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: user.email, password }
  })
  for (const cookie of [response.headers['set-cookie']].flat()) {
    t.match(cookie, /; Path=\/; HttpOnly; SameSite=Lax$/)
    t.notMatch(cookie, /domain/i)
  }
  const claims = JSON.parse(
    Buffer.from(cookieOf(response).split('.')[1] ?? '', 'base64url').toString()
  )
  t.same(Object.keys(claims).sort(), ['aud', 'exp', 'iat', 'iss', 'jti', 'sub'])
  t.notMatch(JSON.stringify(claims), new RegExp(`${user.email}|Lovelace|user"`))
})

t.test('a device cookie alone signs nobody in', async (t) => {
  const response = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: user.email, password }
  })
  const device = String([response.headers['set-cookie']].flat()[1]).split(';')[0] ?? ''
  t.match(device, /^portal_device=/)
  t.equal((await me({ cookie: device })).statusCode, 401)
  t.equal(
    (
      await app.inject({
        method: 'POST',
        url: '/api/auth/login',
        headers: { cookie: device },
        payload: { email: user.email, password: 'not this one' }
      })
    ).statusCode,
    401
  )
})

t.test(
  'logout ends every session whose cookie is sent, and gets the same response without one',
  async (t) => {
    const [one, two] = [await signedIn(app, user.email), await signedIn(app, user.email)]
    for (const cookie of [
      `${one}; portal_session=x; ${two}`,
      '',
      'portal_session=nonsense',
      `__Host-portal_session=${token}`
    ]) {
      const response = await app.inject({
        method: 'POST',
        url: '/api/auth/logout',
        headers: { cookie }
      })
      t.equal(response.statusCode, 204)
      t.equal(
        response.headers['set-cookie'],
        'portal_session=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax'
      )
    }
    t.equal((await me({ cookie: one })).statusCode, 401)
    t.equal((await me({ cookie: two })).statusCode, 401)
    t.equal((await me({ cookie: good })).statusCode, 200)
  }
)
