import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { freshEmail, password, signedIn, ownApp, testDatabaseUrl } from '../support/app.ts'
import { aConfirmedCaller, mailsOf } from '../support/mails.ts'
import { passkeySignIn, withPasskey } from '../support/passkeys.ts'
import { testConfig } from '../support/test-config.ts'

// Two instances at one database.

const changes = { SECRET_KEYS: testConfig().SECRET_KEYS, EMAIL_VERIFICATION: 'required' as const }
const url = await testDatabaseUrl(t)
const one = await ownApp(t, changes, await openDatabase(url, { poolMax: 5 }))
const two = await ownApp(t, changes, await openDatabase(url, { poolMax: 5 }))
const mails = mailsOf(one)
const post = (on: FastifyInstance, at: string, payload: object, cookie = '') =>
  on.inject({ method: 'POST', url: at, headers: { cookie }, payload })
const me = async (on: FastifyInstance, cookie: string) =>
  on.inject({ url: '/api/auth/me', headers: { cookie } })
const statusOf = async (on: FastifyInstance, cookie: string) => (await me(on, cookie)).statusCode
/** Sends each instance `count` requests at once and returns the sorted statuses. */
const race = async (count: number, at: string, payload: object, cookie = '') =>
  (
    await Promise.all(
      Array.from({ length: 2 * count }, (_, i) => post(i % 2 ? one : two, at, payload, cookie))
    )
  )
    .map(({ statusCode }) => statusCode)
    .sort()
async function aRegistration() {
  const email = freshEmail()
  await post(one, '/api/auth/register', { email, password, name: 'Ada' })
  return { email, token: await mails.token(email, 'confirm') }
}
async function asked(email: string) {
  await post(two, '/api/auth/recovery', { email })
  return mails.token(email, 'recovery')
}
const newPassword = 'a better horse battery'

t.test('five wrong passwords end a token, counted across instances', async (t) => {
  const { token } = await aRegistration()
  const statuses = await race(4, '/api/auth/confirm', { token, password: 'not this one' })
  t.same(statuses, [400, 400, 400, 401, 401, 401, 401, 401])
  t.equal((await post(two, '/api/auth/confirm', { token, password })).statusCode, 400)
})

t.test('of confirmations of a new address at once on both instances one changes it', async (t) => {
  const { call, cookie } = await aConfirmedCaller(one)
  const email = freshEmail()
  await call('PUT', '/api/user/email', { email, currentPassword: password })
  const token = await mails.token(email, 'email-change')
  t.same(await race(2, '/api/user/email/confirm', { token }, cookie), [200, 400, 400, 400])
})

t.test('a new password ends every session at once on the other instance', async (t) => {
  const { user, cookie } = await aConfirmedCaller(one)
  const other = await signedIn(two, user.email)
  const token = await asked(user.email)
  t.same([await statusOf(two, cookie), await statusOf(two, other)], [200, 200])
  await post(one, '/api/auth/recovery/confirm', { token, newPassword })
  t.same([await statusOf(two, cookie), await statusOf(two, other)], [401, 401])
})

t.test('a restored address ends every session at once on the other instance', async (t) => {
  const { user, cookie, call } = await aConfirmedCaller(one)
  const email = freshEmail()
  await call('PUT', '/api/user/email', { email, currentPassword: password })
  await call('POST', '/api/user/email/confirm', { token: await mails.token(email, 'email-change') })
  t.match((await me(two, cookie)).json(), { user: { email } }, 'which has the new address at once')
  const token = await mails.token(user.email, 'email-changed')
  const statuses = race(2, '/api/auth/email/revert', { token, newPassword })
  t.same(await statuses, [204, 400, 400, 400])
  t.same([await statusOf(one, cookie), await statusOf(two, cookie)], [401, 401])
})

t.test('a confirmed address is confirmed at once on the other instance', async (t) => {
  const optional = await ownApp(
    t,
    { ...changes, EMAIL_VERIFICATION: 'optional' },
    await openDatabase(url, { poolMax: 5 })
  )
  const email = freshEmail()
  await post(optional, '/api/auth/register', { email, password, name: 'Ada' })
  const cookie = await signedIn(optional, email)
  t.match((await me(two, cookie)).json(), { user: { emailVerified: false } })
  const token = await mails.token(email, 'email-verify')
  t.equal((await post(one, '/api/user/email/confirm', { token }, cookie)).statusCode, 200)
  t.match((await me(two, cookie)).json(), { user: { emailVerified: true } })
})

t.test('of uses of a link that removes a factor, at once on both, one wins', async (t) => {
  const { user, ...caller } = await aConfirmedCaller(one)
  const { passkey } = await withPasskey(t, { ...caller, user })
  const token = await mails.token(user.email, 'passkey-added')
  const answers = await race(2, '/api/auth/factors/revert', { token, newPassword })
  t.same(answers, [204, 400, 400, 400])
  t.equal((await passkeySignIn(two, passkey)).statusCode, 401)
  const login = await post(two, '/api/auth/login', { email: user.email, password: newPassword })
  t.equal(login.statusCode, 200)
})
