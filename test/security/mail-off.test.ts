import t from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { users } from '../../db/schema/users.ts'
import { deleteUser, updateUser } from '../../src/domain/administration/users.ts'
import { setPassword } from '../../src/domain/administration/operator-links.ts'
import { createLinkToken } from '../../src/domain/tokens/tokens.ts'
import { freshEmail, operator, ownApp, password } from '../support/app.ts'
import { aConfirmedCaller, confirmed } from '../support/mails.ts'

// In production without MAIL_URL everything works but what needs mail, and nothing is written that
// nobody sends.

const app = await ownApp(t, { development: false, PUBLIC_ORIGIN: 'https://portal.example.com' })
const post = (url: string, payload: object, cookie = '') =>
  app.inject({ method: 'POST', url, headers: { cookie }, payload })
const newPassword = 'a better horse battery'

t.test('registration creates an account or names the conflict', async (t) => {
  const payload = { email: freshEmail(), password, name: 'Ada' }
  const created = await post('/api/auth/register', payload)
  t.equal(created.statusCode, 201)
  t.match(created.json(), { user: { email: payload.email, emailVerified: false } })
  const conflict = await post('/api/auth/register', payload)
  t.equal(conflict.statusCode, 409)
  t.match(conflict.json(), { code: 'email-taken' })
  t.equal((await post('/api/auth/login', payload)).statusCode, 400, 'a name is not part of a login')
  const { email } = payload
  t.equal((await post('/api/auth/login', { email, password })).statusCode, 200)
  t.equal((await post('/api/auth/login', { email, password })).statusCode, 200, 'a new device')
})

t.test('recovery and verification are rejected', async (t) => {
  const { user, call } = await aConfirmedCaller(app)
  const answers = [
    await post('/api/auth/recovery', { email: user.email }),
    await post('/api/auth/recovery', { email: freshEmail() }),
    await call('POST', '/api/user/email/verification')
  ]
  for (const response of answers) {
    t.equal(response.statusCode, 403)
    t.match(response.json(), { code: 'mail-off' })
  }
})

t.test('a link from an operator sets a new password', async (t) => {
  const { user, cookie } = await aConfirmedCaller(app)
  await app.db.update(users).set({ emailVerifiedAt: null })
  const made = await app.db.transaction((tx) =>
    createLinkToken(tx, { purpose: 'password-reset', owner: { userId: user.id }, expiresIn: 3600 })
  )
  const recovered = await post('/api/auth/recovery/confirm', { token: made?.token, newPassword })
  t.equal(recovered.statusCode, 204)
  t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 401)
  const login = await post('/api/auth/login', { email: user.email, password: newPassword })
  t.match(login.json(), { user: { id: user.id, emailVerified: false } }, 'it proves no address')
})

t.test('nobody is notified, and the outbox stays empty', async (t) => {
  const { user, call } = await aConfirmedCaller(app)
  const { context } = app
  const change = { currentPassword: password, newPassword }
  t.equal((await call('PUT', '/api/user/password', change)).statusCode, 204)
  await setPassword(context, operator, { userId: user.id, password })
  await updateUser(context, operator, { id: user.id, changes: { email: freshEmail() } })
  await deleteUser(context, operator, await confirmed(app.database, user))
  const own = await aConfirmedCaller(app)
  const deletion = await own.call('POST', '/api/user/deletion', { currentPassword: password })
  t.equal(deletion.statusCode, 204)
  t.equal(await app.db.$count(outbox), 0)
})
