import t from 'tap'
import { aCaller, callerOf, password, testApp } from '../support/app.ts'

const app = await testApp(t)
const [ada, grace] = [await aCaller(app), await aCaller(app, 'admin')]
const forAda = { 'portal-user': ada.user.id }

t.test('a call for one user changes and reads nothing of another one', async (t) => {
  const before = (await grace.call('GET', '/api/auth/me')).json()
  for (const [method, url, body] of [
    ['PUT', '/api/user/theme', { theme: 'dark' }],
    ['PUT', '/api/user/name', { name: 'Ada' }],
    ['PUT', '/api/user/password', { currentPassword: password, newPassword: `${password} 2` }],
    ['DELETE', '/api/user/sessions', undefined],
    ['GET', '/api/auth/me', undefined],
    ['GET', '/api/auth/session', undefined],
    ['GET', '/api/user/export', undefined],
    ['GET', '/api/admin/users', undefined],
    ['POST', '/api/auth/logout', undefined]
  ] as const) {
    const refused = await grace.call(method, url, body, forAda)
    t.match(refused.json(), { status: 409, code: 'other-user' }, `${method} ${url}`)
    t.equal(refused.headers['set-cookie'], undefined)
  }
  const { user, session } = (await grace.call('GET', '/api/auth/me')).json()
  t.same(user, before.user)
  t.equal(session.id, before.session.id, 'it did not end either')
})

t.test(
  'a call for the user of the session is answered, and one without a session as ever',
  async (t) => {
    const theme = { theme: 'dark' }
    t.equal((await ada.call('PUT', '/api/user/theme', theme, forAda)).statusCode, 200)
    const nobody = await app.inject({ url: '/api/auth/session', headers: forAda })
    t.same(nobody.json(), { user: null, session: null })
    const me = await app.inject({ url: '/api/auth/me', headers: forAda })
    t.match(me.json(), { status: 401, code: 'unauthenticated' })
    const login = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { cookie: grace.cookie, ...forAda },
      payload: { email: ada.user.email, password }
    })
    t.equal(login.statusCode, 200, 'somebody signs in as the next user')
    const own = await callerOf(app, ada.user)
    t.equal((await own.call('POST', '/api/auth/logout', undefined, forAda)).statusCode, 204)
  }
)

t.test('a check for a service ignores the header, which proxies set themselves', async (t) => {
  const { cookie, user } = await aCaller(app)
  const headers = { cookie, ...forAda, 'x-original-method': 'GET' }
  const checked = await app.inject({ url: '/api/auth/check', headers })
  t.match(checked, { statusCode: 204, headers: { 'portal-user': user.id } })
})
