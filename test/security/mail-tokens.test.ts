import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { aCaller, aUser, freshEmail, password, testApp } from '../support/app.ts'
import { aConfirmedCaller, mailsOf, visible } from '../support/mails.ts'

// A token opens what it was made for, once, and nothing else. Whatever is wrong with it, the answer
// is the same.

const newPassword = 'a better horse battery'
const app = await testApp(t, { EMAIL_VERIFICATION: 'required' })
const optional = await testApp(t, { EMAIL_VERIFICATION: 'optional' })
const mails = new Map([app, optional].map((each) => [each, mailsOf(each)]))
const post = (on: FastifyInstance, url: string, payload: object, cookie = '') =>
  on.inject({ method: 'POST', url, headers: { cookie }, payload })
const mailed = (on: FastifyInstance, ...what: Parameters<ReturnType<typeof mailsOf>['token']>) =>
  mails.get(on)?.token(...what)

/** The purpose of a token, and how it is used. */
interface Link {
  on: FastifyInstance
  route: string
  token: string | undefined
  /** The only session that may use it, where one is needed. */
  cookie?: string
}

const routes: Record<string, (token: string) => object> = {
  '/api/auth/confirm': (token) => ({ token, password }),
  '/api/auth/recovery/confirm': (token) => ({ token, newPassword }),
  '/api/auth/email/revert': (token) => ({ token, newPassword }),
  '/api/user/email/confirm': (token) => ({ token })
}

const makers: Record<string, () => Promise<Link>> = {
  async 'that confirms a registration'() {
    const email = freshEmail()
    await post(app, '/api/auth/register', { email, password, name: 'Ada' })
    return { on: app, route: '/api/auth/confirm', token: await mailed(app, email, 'confirm') }
  },
  async 'that confirms an account at its login'() {
    const { email } = await aUser(app.database)
    await post(app, '/api/auth/login', { email, password })
    return { on: app, route: '/api/auth/confirm', token: await mailed(app, email, 'confirm') }
  },
  async 'for a new password'() {
    const { email } = await aUser(app.database)
    await post(app, '/api/auth/recovery', { email })
    const token = await mailed(app, email, 'recovery')
    return { on: app, route: '/api/auth/recovery/confirm', token }
  },
  async 'for a new address'() {
    const { call, cookie } = await aConfirmedCaller(app)
    const email = freshEmail()
    await call('PUT', '/api/user/email', { email, currentPassword: password })
    const token = await mailed(app, email, 'email-change')
    return { on: app, route: '/api/user/email/confirm', token, cookie }
  },
  async 'that verifies an address'() {
    const { user, call, cookie } = await aCaller(optional)
    await call('POST', '/api/user/email/verification')
    const token = await mailed(optional, user.email, 'email-verify')
    return { on: optional, route: '/api/user/email/confirm', token, cookie }
  },
  async 'that restores an address'() {
    const { user, call } = await aConfirmedCaller(app)
    const email = freshEmail()
    await call('PUT', '/api/user/email', { email, currentPassword: password })
    const token = await mailed(app, email, 'email-change')
    await call('POST', '/api/user/email/confirm', { token })
    const revert = await mailed(app, user.email, 'email-changed')
    return { on: app, route: '/api/auth/email/revert', token: revert }
  }
}

for (const [what, make] of Object.entries(makers)) {
  t.test(`a token ${what} does that only, and once`, async (t) => {
    const { on, route, token = '', cookie } = await make()
    const stranger = await aConfirmedCaller(on)
    const use = (at: string, value: string, session: string) =>
      post(on, at, routes[at]?.(value) ?? {}, session)
    for (const at of Object.keys(routes)) {
      const unknown = await use(at, 'A'.repeat(43), stranger.cookie)
      t.match(unknown.json(), { status: 400, code: 'invalid-token' }, at)
      const isForeign = at !== route || cookie !== undefined
      const sessions = [stranger.cookie, ...(at === route ? [] : [cookie ?? stranger.cookie])]
      for (const session of isForeign ? sessions : []) {
        t.same(visible(await use(at, token, session)), visible(unknown), at)
      }
    }
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'PUT', 'PATCH'] as const) {
      const headers = { cookie: cookie ?? stranger.cookie }
      const scanned = await on.inject({ method, url: `${route}?token=${token}`, headers })
      t.ok([404, 405].includes(scanned.statusCode), `${method} ${route} ${scanned.statusCode}`)
    }
    // Nothing of this has used it up.
    const done = await use(route, token, cookie ?? '')
    t.ok([200, 204].includes(done.statusCode), done.body)
    const again = await use(route, token, cookie ?? '')
    // A new password ends every session.
    const used = await use(route, 'A'.repeat(43), cookie ?? '')
    t.same(visible(again), visible(used))
    t.match(again.json(), { status: 400, code: 'invalid-token' })
  })
}

t.test('tokens of a wrong type or length are rejected without a look-up', async (t) => {
  const { cookie } = await aConfirmedCaller(app)
  for (const [at, body] of Object.entries(routes)) {
    for (const token of ['x'.repeat(513), 'x\0', '']) {
      const refused = await post(app, at, body(token), cookie)
      t.equal(refused.statusCode, 400, at)
      t.ok(['invalid-request', 'invalid-token'].includes(refused.json().code), at)
      t.notMatch(refused.body.replace(/urn:uuid:[\w-]+/, ''), /xxxx/)
    }
    const refused = await post(app, at, { ...body(''), token: ['A'.repeat(43)] }, cookie)
    t.match(refused.json().errors, [{ pointer: '/token', code: 'wrong-type' }])
  }
})
