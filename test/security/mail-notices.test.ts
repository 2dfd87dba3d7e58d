import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../db/schema/sessions.ts'
import { deleteUser, updateUser } from '../../src/domain/administration/users.ts'
import { setPassword } from '../../src/domain/administration/operator-links.ts'
import {
  aCaller,
  aUser,
  cookieOf,
  freshEmail,
  operator,
  ownApp,
  password,
  testApp
} from '../support/app.ts'
import { aConfirmedCaller, confirmed, mailsOf } from '../support/mails.ts'
import type { MailKind } from '../support/mails.ts'
import { anAppFor } from '../support/second-factors.ts'
import { deviceOf } from './attempts.ts'

// Owners learn what happens to their account: at an address that they have confirmed, and by mails
// whose links do nothing by themselves.

const app = await testApp(t, { PRODUCT_NAME: 'Kontor' })
const mails = mailsOf(app)
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const login = async (email: string, cookie = '', secret = password) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { cookie, 'user-agent': firefox },
    remoteAddress: '203.0.113.7',
    payload: { email, password: secret }
  })
const aConfirmedUser = async () => confirmed(app.database, await aUser(app.database))
const newPassword = 'a better horse battery'
const { context } = app

t.test('a sign-in from a new device is reported, but not the first one of all', async (t) => {
  const { email } = await aConfirmedUser()
  const first = await login(email)
  t.same(await mails.kindsTo(email), [], 'the first')
  const device = deviceOf(first)
  t.equal((await login(email, device)).statusCode, 200)
  t.same(await mails.kindsTo(email), [], 'from the same browser')
  t.equal((await login(email, '', 'not this one')).statusCode, 401)
  t.same(await mails.kindsTo(email), [], 'that failed')
  const second = await login(email)
  t.same(await mails.kindsTo(email), ['new-device'])
  const { subject, text } = await mails.newest(email, 'new-device')
  t.match(subject, 'Kontor')
  t.match(text, '203.0.113.7')
  t.match(text, 'Firefox')
  t.match(text, /\d{4}.*UTC/)
  t.notMatch(text, /token/)
  await login(email, deviceOf(second))
  await login(email, device)
  t.same(await mails.kindsTo(email), ['new-device'], 'both browsers are known now')
})

t.test('the cookie of another account does not make a device known', async (t) => {
  const { email } = await aConfirmedUser()
  await login(email)
  const foreign = deviceOf(await login((await aConfirmedUser()).email))
  await login(email, foreign)
  t.same(await mails.kindsTo(email), ['new-device'])
})

t.test('sign-ins are not reported where that is off', async (t) => {
  const quiet = await testApp(t, { SIGN_IN_NOTICES: false })
  const { user } = await aConfirmedCaller(quiet)
  const payload = { email: user.email, password }
  await quiet.inject({ method: 'POST', url: '/api/auth/login', payload })
  t.same(await mailsOf(quiet).rows(), [])
})

t.test('the browser that confirmed a registration is known', async (t) => {
  const strict = await testApp(t, { EMAIL_VERIFICATION: 'required' })
  const strictMails = mailsOf(strict)
  const email = freshEmail()
  const post = (url: string, payload: object, cookie = '') =>
    strict.inject({ method: 'POST', url, headers: { cookie }, payload })
  await post('/api/auth/register', { email, password, name: 'Ada' })
  const token = await strictMails.token(email, 'confirm')
  const confirmation = await post('/api/auth/confirm', { token, password })
  await post('/api/auth/login', { email, password }, deviceOf(confirmation))
  t.same(await strictMails.kindsTo(email), ['confirm'])
  await post('/api/auth/login', { email, password })
  t.same(await strictMails.kindsTo(email), ['confirm', 'new-device'])
})

interface Change {
  kind: MailKind
  act: (account: Awaited<ReturnType<typeof aConfirmedCaller>>) => Promise<unknown>
}
const anAdmin = () => aConfirmedCaller(app, 'admin')
const changes: Record<string, Change> = {
  'a password changed by its user': {
    kind: 'password-changed',
    act: ({ call }) => call('PUT', '/api/user/password', { currentPassword: password, newPassword })
  },
  'a password set by an administrator': {
    kind: 'password-changed',
    act: async ({ user }) =>
      (await anAdmin()).call('PUT', `/api/admin/users/${user.id}/password`, {
        password: newPassword
      })
  },
  'a password set by an operator': {
    kind: 'password-changed',
    act: ({ user }) => setPassword(context, operator, { userId: user.id, password: newPassword })
  },
  'an address changed by an administrator': {
    kind: 'email-changed',
    act: async ({ user }) =>
      (await anAdmin()).call('PATCH', `/api/admin/users/${user.id}`, { email: freshEmail() })
  },
  'an address changed by an operator': {
    kind: 'email-changed',
    act: ({ user }) =>
      updateUser(context, operator, { id: user.id, changes: { email: freshEmail() } })
  },
  'a second factor that signing in requires from now on': {
    kind: 'second-factor-required',
    act: async ({ user, call }) => {
      await anAppFor(app, user, { secondFactor: false })
      const required = () => call('PUT', '/api/user/second-factor', { required: true })
      return [await required(), await required()]
    }
  },
  'a set of new recovery codes': {
    kind: 'recovery-codes-renewed',
    act: async ({ user, call }) => {
      await anAppFor(app, user, { secondFactor: false })
      await app.db.update(sessions).set({ assurance: 2 }).where(eq(sessions.userId, user.id))
      return call('POST', '/api/user/recovery-codes')
    }
  },
  'an account deleted by its user': {
    kind: 'account-deleted',
    act: ({ call }) => call('POST', '/api/user/deletion', { currentPassword: password })
  },
  'an account deleted by an administrator': {
    kind: 'account-deleted',
    act: async ({ user }) => (await anAdmin()).call('DELETE', `/api/admin/users/${user.id}`)
  },
  'an account deleted by an operator': {
    kind: 'account-deleted',
    act: ({ user }) => deleteUser(context, operator, { id: user.id })
  }
}

for (const [what, { kind, act }] of Object.entries(changes)) {
  t.test(`${what} is reported to its owner, once, without a token`, async (t) => {
    const account = await aConfirmedCaller(app)
    await act(account)
    t.same(await mails.kindsTo(account.user.email), [kind])
    const { text, html } = await mails.newest(account.user.email, kind)
    t.match(text, 'Hello Ada Lovelace,')
    t.notMatch(text + html, /token/)
    const row = (await mails.rows()).at(-1)
    t.match(row, { kind, userId: account.user.id }, 'also when the account is gone')
  })

  t.test(`${what} is not reported to an address that nobody has confirmed`, async (t) => {
    const account = await aCaller(app)
    await act(account)
    t.same(await mails.to(account.user.email), [])
  })
}

t.test('a rejected change is not reported', async (t) => {
  const { call, user } = await aConfirmedCaller(app)
  const wrong = { currentPassword: 'not this one' }
  await call('PUT', '/api/user/password', { ...wrong, newPassword })
  await call('PUT', '/api/user/password', { currentPassword: password, newPassword: 'short' })
  await call('POST', '/api/user/deletion', wrong)
  t.same(await mails.to(user.email), [])
  const only = await ownApp(t)
  const admin = await aConfirmedCaller(only, 'admin')
  const refused = await admin.call('POST', '/api/user/deletion', { currentPassword: password })
  t.match(refused.json(), { code: 'last-admin' })
  t.same(await mailsOf(only).rows(), [], 'nor one that the transaction refused')
})

t.test('other changes of an account are not reported', async (t) => {
  const { call, user } = await aConfirmedCaller(app)
  await call('PUT', '/api/user/name', { name: 'Countess' })
  await call('PATCH', '/api/user/profile', { bio: 'Analyst' })
  await updateUser(context, operator, { id: user.id, changes: { status: 'deactivated' } })
  await updateUser(context, operator, { id: user.id, changes: { status: 'active' } })
  t.same(await mails.to(user.email), [])
})

t.test('a new password makes every browser a new one', async (t) => {
  const { email } = await aConfirmedUser()
  const first = await login(email)
  const headers = { cookie: cookieOf(first) }
  const payload = { currentPassword: password, newPassword }
  const changed = await app.inject({ method: 'PUT', url: '/api/user/password', headers, payload })
  await login(email, deviceOf(changed), newPassword)
  t.same(await mails.kindsTo(email), ['password-changed'], 'but the one that set it')
  await login(email, deviceOf(first), newPassword)
  t.same(await mails.kindsTo(email), ['password-changed', 'new-device'])
})
