import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../../../db/schema/sessions.ts'
import { users } from '../../../../db/schema/users.ts'
import {
  aCaller,
  activityOf,
  aUser,
  callerOf,
  cookieOf,
  freshEmail,
  password,
  testApp
} from '../../../support/app.ts'
import { mailsOf } from '../../../support/mails.ts'
import {
  anAppFor,
  aRequiringRole,
  letProofsAge,
  signedInWithCode
} from '../../../support/second-factors.ts'

// Changes that take the password, a recent authentication, or both.

const app = await testApp(t)
const mails = mailsOf(app)
const newPassword = 'a better horse battery'
const changes = () =>
  [
    ['PUT', '/api/user/email', { email: freshEmail() }],
    ['PUT', '/api/user/password', { newPassword }],
    ['POST', '/api/user/deletion', {}]
  ] as const
const send = (cookie: string, method: 'PUT' | 'POST', url: string, payload: object) =>
  app.inject({ method, url, headers: { cookie }, payload })
const prove = (cookie: string, payload: object) =>
  send(cookie, 'POST', '/api/auth/reauthenticate', payload)
const withoutPassword = (user: { id: string }) =>
  app.db.update(users).set({ passwordHash: null }).where(eq(users.id, user.id))
const required = (...methods: string[]) => ({
  status: 403,
  code: 'reauthentication-required',
  methods,
  maxAge: 600
})

async function aUserWithApp() {
  const user = await aUser(app.database)
  const phone = await anAppFor(app, user)
  return { user, phone, cookie: await signedInWithCode(app, user.email, phone) }
}

t.test('an authentication in the future is not recent', async (t) => {
  const { user, cookie } = await aCaller(app)
  const authenticated = (seconds: number) =>
    app.db
      .update(sessions)
      .set({ createdAt: sql`now() + make_interval(secs => ${seconds})` })
      .where(eq(sessions.userId, user.id))
  const begin = () => send(cookie, 'POST', '/api/user/totp', {})
  await authenticated(90)
  t.match((await begin()).json(), required('password'))
  await authenticated(30)
  t.equal((await begin()).statusCode, 200, 'clocks of servers differ a little')
})

t.test('a recent authentication replaces the password of an address and a deletion', async (t) => {
  const { user, cookie } = await aCaller(app)
  const email = freshEmail()
  t.match((await send(cookie, 'PUT', '/api/user/email', { email })).json(), { pending: email })
  t.match(await mails.kindsTo(email), ['email-change'])

  await letProofsAge(app, user)
  for (const [method, url, payload] of changes().filter(([, url]) => !url.endsWith('password'))) {
    const refused = await send(cookie, method, url, payload)
    t.match(refused.json(), required('password'), url)
    t.equal(refused.headers['set-cookie'], undefined)
  }
  const renewed = cookieOf(await prove(cookie, { password }))
  t.equal((await send(renewed, 'POST', '/api/user/deletion', {})).statusCode, 204)
  t.same(await app.db.select().from(users).where(eq(users.id, user.id)), [])
})

t.test('the password is enough without a recent authentication, if it is right', async (t) => {
  const { user, cookie } = await aCaller(app)
  await letProofsAge(app, user)
  for (const [method, url, payload] of changes()) {
    const wrong = await send(cookie, method, url, { ...payload, currentPassword: 'wrong' })
    t.match(wrong.json(), { status: 403, code: 'wrong-password' }, url)
  }
  const email = { email: freshEmail(), currentPassword: password }
  t.equal((await send(cookie, 'PUT', '/api/user/email', email)).statusCode, 202)
  const deletion = { currentPassword: password }
  t.equal((await send(cookie, 'POST', '/api/user/deletion', deletion)).statusCode, 204)
})

t.test('a wrong password is not replaced by a recent authentication', async (t) => {
  const { cookie } = await aCaller(app)
  const email = { email: freshEmail(), currentPassword: 'wrong' }
  t.match((await send(cookie, 'PUT', '/api/user/email', email)).json(), { code: 'wrong-password' })
})

t.test('a new password takes the old one, even after a recent authentication', async (t) => {
  const { cookie } = await aCaller(app)
  const refused = await send(cookie, 'PUT', '/api/user/password', { newPassword })
  t.match(refused.json(), {
    status: 400,
    errors: [{ pointer: '/currentPassword', code: 'required' }]
  })
})

t.test('a user without a password can do all of it after a recent authentication', async (t) => {
  const { user, cookie } = await aCaller(app)
  const phone = await anAppFor(app, user, { secondFactor: false })
  await withoutPassword(user)
  await letProofsAge(app, user)
  for (const [method, url, payload] of changes()) {
    t.match((await send(cookie, method, url, payload)).json(), required('totp'), url)
  }
  const proved = cookieOf(await prove(cookie, { code: await phone.code() }))
  const [[, , address]] = changes()
  t.equal((await send(proved, 'PUT', '/api/user/email', address)).statusCode, 202)
  const changed = await send(proved, 'PUT', '/api/user/password', { newPassword })
  t.equal(changed.statusCode, 204)
  const renewed = cookieOf(changed)
  t.equal((await send(renewed, 'POST', '/api/user/deletion', {})).statusCode, 204)
})

t.test('with a second factor the password alone does nothing, and is not compared', async (t) => {
  const { user, cookie, phone } = await aUserWithApp()
  await letProofsAge(app, user)
  for (const currentPassword of [password, 'a wrong horse battery', undefined]) {
    for (const [method, url, payload] of changes()) {
      const refused = await send(cookie, method, url, { ...payload, currentPassword })
      t.match(refused.json(), required('totp'), url)
      t.equal(refused.headers['set-cookie'], undefined)
    }
  }
  t.notOk(
    (await activityOf(app.database, user.id)).some(({ reason }) => reason === 'wrong-password')
  )

  let proved = cookieOf(await prove(cookie, { code: await phone.code() }))
  const wrong = { newPassword, currentPassword: 'wrong' }
  t.match((await send(proved, 'PUT', '/api/user/password', wrong)).json(), {
    code: 'wrong-password'
  })
  const right = { newPassword, currentPassword: password }
  const changed = await send(proved, 'PUT', '/api/user/password', right)
  t.equal(changed.statusCode, 204)
  proved = cookieOf(changed)
  const [[, , address]] = changes()
  t.equal((await send(proved, 'PUT', '/api/user/email', address)).statusCode, 202)
  t.equal((await send(proved, 'POST', '/api/user/deletion', {})).statusCode, 204)
})

t.test('the proof of a second factor is needed, not only a recent sign-in', async (t) => {
  const { user, cookie } = await aCaller(app)
  await anAppFor(app, user) // the session began before
  for (const [method, url, payload] of changes()) {
    const refused = await send(cookie, method, url, { ...payload, currentPassword: password })
    t.match(refused.json(), required('totp'), url)
  }
})

t.test(
  'a user whose roles require a second factor sets it up before the address changes',
  async (t) => {
    const { user, cookie } = await aCaller(app)
    const email = freshEmail()
    const change = { email, currentPassword: password }
    t.equal((await send(cookie, 'PUT', '/api/user/email', change)).statusCode, 202)
    const token = await mails.token(email, 'email-change')

    await callerOf(app, user, await aRequiringRole(app, 'users:read'))
    const refused = { status: 409, code: 'no-second-factor' }
    t.match((await send(cookie, 'PUT', '/api/user/email', change)).json(), refused)
    t.match((await send(cookie, 'POST', '/api/user/email/confirm', { token })).json(), refused)
    const [row] = await app.db.select().from(users).where(eq(users.id, user.id))
    t.equal(row?.email, user.email)

    const phone = await anAppFor(app, user)
    const proved = cookieOf(await prove(cookie, { code: await phone.code() }))
    const confirmed = await send(proved, 'POST', '/api/user/email/confirm', { token })
    t.match(confirmed.json(), { email, verified: true })
  }
)
