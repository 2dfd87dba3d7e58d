import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../../../db/schema/users.ts'
import {
  aCaller,
  activityOf,
  aUser,
  callerOf,
  cookieOf,
  password,
  signedIn,
  ownApp,
  testApp
} from '../../../support/app.ts'
import {
  anAppFor,
  aRequiringRole,
  aUserWithApp,
  letProofsAge,
  signedInWithCode,
  wrongCode
} from '../../../support/second-factors.ts'

const app = await testApp(t)
const url = '/api/auth/reauthenticate'
const prove = (cookie: string, payload: object) =>
  app.inject({ method: 'POST', url, headers: { cookie }, payload })
const me = (cookie: string) => app.inject({ url: '/api/auth/me', headers: { cookie } })
const sessionOf = async (cookie: string) =>
  (await me(cookie)).json().session as {
    id: string
    createdAt: string
    authenticatedAt: string
    assurance: number
    amr: string[]
  }
const isRecent = (time: string) => Date.now() - Date.parse(time) < 300_000

t.test('a user authenticates again with the password, and the old cookie ends', async (t) => {
  const { user, cookie } = await aCaller(app)
  await letProofsAge(app, user)
  const response = await prove(cookie, { password })
  t.equal(response.statusCode, 200)
  const renewed = cookieOf(response)
  t.not(renewed, cookie)
  t.equal((await me(cookie)).statusCode, 401)
  t.equal([response.headers['set-cookie']].flat().length, 1, 'no device cookie')

  const { idleExpiresAt, ...session } = response.json().session
  t.match(await sessionOf(renewed), session, 'me returns the same')
  t.ok(Date.parse(idleExpiresAt) > Date.now())
  t.match(session, { assurance: 1, amr: ['pwd'] })
  t.ok(isRecent(session.authenticatedAt))
  t.notOk(isRecent(session.createdAt), 'the session is as old as before')
  t.match(await activityOf(app.database, session.id), [
    { action: 'auth.reauthenticate', actorId: user.id, details: { amr: ['pwd'] } },
    { action: 'auth.login', details: { amr: ['pwd'] } }
  ])
})

t.test('a code raises the assurance of this session, and of no other', async (t) => {
  const { user, cookie } = await aCaller(app)
  const { call: callElsewhere, cookie: other } = await callerOf(app, user)
  const phone = await anAppFor(app, user, { secondFactor: false })
  t.match(await sessionOf(cookie), { assurance: 1, amr: ['pwd'] })
  await letProofsAge(app, user)
  const response = await prove(cookie, { code: await phone.code() })
  t.equal(response.statusCode, 200)
  const session = await sessionOf(cookieOf(response))
  t.match(session, { assurance: 2, amr: ['pwd', 'otp', 'mfa'] })
  t.ok(isRecent(session.authenticatedAt))
  t.equal((await me(cookie)).statusCode, 401)

  const unchanged = await sessionOf(other)
  t.match(unchanged, { assurance: 1, amr: ['pwd'] })
  const refused = await callElsewhere('PUT', '/api/user/email', { email: `new-${user.email}` })
  t.match(refused.json(), { status: 403, code: 'reauthentication-required' })
})

t.test('the password is enough again after the last second factor was removed', async (t) => {
  const { user, cookie, call } = await aUserWithApp(app)
  t.match(await sessionOf(cookie), { assurance: 2 })
  await call('PUT', '/api/user/second-factor', { required: false })
  t.equal((await call('DELETE', '/api/user/totp')).statusCode, 204)
  await letProofsAge(app, user)
  const again = cookieOf(await prove(cookie, { password }))
  t.match(await sessionOf(again), { assurance: 1, amr: ['pwd', 'otp'] })
})

t.test('the password does not make an old proof of a second factor recent', async (t) => {
  const { user, cookie } = await aCaller(app)
  const phone = await anAppFor(app, user, { secondFactor: false })
  const raised = cookieOf(await prove(cookie, { code: await phone.code() }))
  await letProofsAge(app, user)
  const due = { status: 403, code: 'reauthentication-required', methods: ['totp'] }
  t.match((await prove(raised, { password })).json(), due)
  const headers = { cookie: raised }
  const renew = () => app.inject({ method: 'POST', url: '/api/user/recovery-codes', headers })
  t.match((await renew()).json(), due)
  for (const query of ['assurance=2&maxAge=600', 'maxAge=600']) {
    const checked = await app.inject({
      url: `/api/auth/check?${query}`,
      headers: { ...headers, 'x-original-method': 'GET' }
    })
    t.match(checked.json(), due, query)
  }
  headers.cookie = cookieOf(await prove(raised, { code: await phone.code() }))
  t.equal((await renew()).statusCode, 200)
})

t.test('a role that requires a second factor counts as soon as one was proved', async (t) => {
  const role = await aRequiringRole(app, 'users:read')
  const { user, cookie } = await aCaller(app, role)
  const phone = await anAppFor(app, user, { secondFactor: false })
  const list = async (cookie: string) =>
    (await app.inject({ url: '/api/admin/users', headers: { cookie } })).statusCode
  const before = (await me(cookie)).json().user
  t.same([before.roles, before.suspendedRoles], [['user'], [role]])
  t.notOk(before.permissions.includes('users:read'))
  t.equal(await list(cookie), 403)

  const proved = cookieOf(await prove(cookie, { code: await phone.code() }))
  const after = (await me(proved)).json().user
  t.same([after.roles.toSorted(), after.suspendedRoles], [[role, 'user'].toSorted(), []])
  t.ok(after.permissions.includes('users:read'))
  t.equal(await list(proved), 200)
})

t.test('a wrong password changes nothing and keeps the cookie', async (t) => {
  const { user, cookie } = await aCaller(app)
  await letProofsAge(app, user)
  const before = await sessionOf(cookie)
  const response = await prove(cookie, { password: 'a wrong horse battery' })
  t.equal(response.statusCode, 403)
  t.match(response.json(), { code: 'wrong-password' })
  t.equal(response.headers['set-cookie'], undefined)
  t.match(await sessionOf(cookie), { authenticatedAt: before.authenticatedAt })
  t.match((await activityOf(app.database, user.id))[0], {
    action: 'auth.reauthenticate',
    outcome: 'failure',
    reason: 'wrong-password'
  })
})

t.test('a code is accepted once, and only by the user whose app shows it', async (t) => {
  const one = await aCaller(app)
  const other = await aCaller(app)
  const phone = await anAppFor(app, one.user, { secondFactor: false })
  const others = await anAppFor(app, other.user, { secondFactor: false })
  for (const code of [await wrongCode(phone), await others.code()]) {
    const response = await prove(one.cookie, { code })
    t.equal(response.statusCode, 403)
    t.match(response.json(), { code: 'wrong-code' })
    t.equal(response.headers['set-cookie'], undefined)
  }
  const code = await phone.code()
  const proved = cookieOf(await prove(one.cookie, { code }))
  t.match((await prove(proved, { code })).json(), { status: 403, code: 'wrong-code' })
  t.match(await sessionOf(proved), { assurance: 2 })
  t.equal((await prove(other.cookie, { code })).statusCode, 403)
})

t.test('a user without an app gets the response of a wrong code', async (t) => {
  const { cookie } = await aCaller(app)
  t.match((await prove(cookie, { code: '000000' })).json(), { status: 403, code: 'wrong-code' })
  t.match(await sessionOf(cookie), { assurance: 1 })
})

t.test('of the same code in two sessions at once one is accepted', async (t) => {
  const { user, cookie } = await aCaller(app)
  const other = await signedIn(app, user.email)
  const phone = await anAppFor(app, user, { secondFactor: false })
  const code = await phone.code()
  const answers = await Promise.all([prove(cookie, { code }), prove(other, { code })])
  t.same(answers.map(({ statusCode }) => statusCode).toSorted(), [200, 403])
})

t.test('after too many wrong codes the right one has to wait as well', async (t) => {
  const app = await ownApp(t, { THROTTLE_SECOND_FACTOR: { burst: 3, seconds: 3600 } })
  const { user, call } = await aCaller(app)
  const phone = await anAppFor(app, user, { secondFactor: false })
  const wrong = { code: await wrongCode(phone) }
  for (let i = 0; i < 3; i++) t.equal((await call('POST', url, wrong)).statusCode, 403)
  const refused = await call('POST', url, { code: await phone.code() })
  t.match(refused.json(), { status: 429, code: 'rate-limited' })
  t.match((await call('POST', url, { password })).json(), { session: { assurance: 1 } })
})

t.test('where the password is enough to sign in, new devices give no more codes', async (t) => {
  const app = await ownApp(t, { THROTTLE_SECOND_FACTOR: { burst: 3, seconds: 3600 } })
  const user = await aUser(app.database)
  const code = await wrongCode(await anAppFor(app, user, { secondFactor: false }))
  const fromNewDevice = async () => {
    const payload = { email: user.email, password }
    const { cookies } = await app.inject({ method: 'POST', url: '/api/auth/login', payload })
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    t.match(cookie, 'portal_device=')
    const proved = await app.inject({ method: 'POST', url, headers: { cookie }, payload: { code } })
    return proved.statusCode
  }
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) statuses.push(await fromNewDevice())
  t.same(statuses, [403, 403, 403, 429])
})

t.test(
  'where sign-ins need a second factor, the password proves nothing and is not compared',
  async (t) => {
    const user = await aUser(app.database)
    const phone = await anAppFor(app, user)
    const cookie = await signedInWithCode(app, user.email, phone)
    for (const guess of [password, password, 'a wrong horse battery']) {
      const response = await prove(cookie, { password: guess })
      t.equal(response.statusCode, 403)
      t.match(response.json(), {
        code: 'reauthentication-required',
        methods: ['totp'],
        maxAge: 600
      })
      await letProofsAge(app, user) // the first guess would prolong a recent authentication
    }
    t.notOk(
      (await activityOf(app.database, user.id)).some(({ reason }) => reason === 'wrong-password')
    )
    t.equal((await prove(cookie, { code: await phone.code() })).statusCode, 200)
  }
)

t.test(
  'so it is for a user who has a second factor that one of their roles requires',
  async (t) => {
    const { user, cookie } = await aCaller(app, await aRequiringRole(app, 'users:read'))
    t.equal((await prove(cookie, { password })).statusCode, 200, 'without a factor it counts')
    await anAppFor(app, user, { secondFactor: false })
    const { cookie: next } = await callerOf(app, user)
    t.match((await prove(next, { password })).json(), {
      code: 'reauthentication-required',
      methods: ['totp']
    })
  }
)

t.test('a user without a password cannot prove one', async (t) => {
  const { user, cookie } = await aCaller(app)
  await app.db.update(users).set({ passwordHash: null }).where(eq(users.id, user.id))
  t.match((await prove(cookie, { password })).json(), { status: 403, code: 'wrong-password' })
  t.match((await prove(cookie, { password: '' })).json(), { status: 403, code: 'wrong-password' })
})

t.test(
  'exactly one proof in the form of the document is accepted, and only signed in',
  async (t) => {
    const { cookie } = await aCaller(app)
    for (const payload of [
      {},
      { password, code: '123456' },
      { code: 123_456 },
      { code: '12345' },
      { code: '1234567' },
      { code: '１２３４５６' },
      { code: '12345a' },
      { code: null }
    ]) {
      t.match((await prove(cookie, payload)).json(), { status: 400, code: 'invalid-request' })
    }
    t.equal((await app.inject({ method: 'POST', url, payload: { password } })).statusCode, 401)
  }
)
