import t from 'tap'
import { eq } from 'drizzle-orm'
import { users } from '../../../../db/schema/users.ts'
import { grantRole } from '../../../../src/domain/access/memberships.ts'
import {
  aCaller,
  activityOf,
  aUser,
  cookieOf,
  freshEmail,
  operator,
  password,
  signedIn,
  ownApp,
  testApp
} from '../../../support/app.ts'
import { rejects } from '../../../support/scenarios.ts'

const app = await testApp(t)
const newPassword = 'a better horse battery'
const me = async (cookie: string) =>
  (await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode
const signIn = async (email: string, password: string) =>
  (await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } }))
    .statusCode

t.test('a new password ends every other session and replaces the cookie of this one', async (t) => {
  const { call, user, cookie } = await aCaller(app)
  const other = await signedIn(app, user.email)
  const session = (await call('GET', '/api/auth/me')).json().session
  const response = await call('PUT', '/api/user/password', {
    currentPassword: password,
    newPassword
  })
  t.equal(response.statusCode, 204)
  const renewed = cookieOf(response)
  t.not(renewed, cookie)
  t.equal(await me(cookie), 401)
  t.equal(await me(other), 401)
  const now = (await app.inject({ url: '/api/auth/me', headers: { cookie: renewed } })).json()
    .session
  t.same(
    [now.id, now.createdAt, now.expiresAt],
    [session.id, session.createdAt, session.expiresAt],
    'the same session, which ends when it would have ended'
  )
  t.match(await activityOf(app.database, user.id), [
    { action: 'auth.password-change', outcome: 'success', details: { revoked: 1 } }
  ])
  t.equal(await signIn(user.email, password), 401)
  t.equal(await signIn(user.email, newPassword), 200)
})

t.test('a wrong current password is recorded, changes nothing and keeps the cookie', async (t) => {
  const { call, user, cookie } = await aCaller(app)
  for (const [method, url, payload] of [
    ['PUT', '/api/user/password', { currentPassword: 'wrong', newPassword }],
    ['PUT', '/api/user/email', { currentPassword: 'wrong', email: freshEmail() }],
    ['POST', '/api/user/deletion', { currentPassword: 'wrong' }]
  ] as const) {
    const response = await call(method, url, payload)
    t.equal(response.statusCode, 403, url)
    t.match(response.json(), { code: 'wrong-password' })
    t.equal(response.headers['set-cookie'], undefined)
  }
  t.equal(await me(cookie), 200)
  t.equal(await signIn(user.email, password), 200)
  t.match(
    (await activityOf(app.database, user.id))
      .filter((record) => record.reason === 'wrong-password')
      .map((record) => [record.action, record.outcome]),
    [
      ['user.delete', 'failure'],
      ['user.update', 'failure'],
      ['auth.password-change', 'failure']
    ]
  )
})

t.test('an unacceptable new password is rejected by name', async (t) => {
  const { call } = await aCaller(app)
  const change = (bad: string) => ({ currentPassword: password, newPassword: bad })
  await rejects(t, call, 'PUT /api/user/password', [
    ['7 characters', change('short'), '/newPassword too-short'],
    ['129 characters', change('x'.repeat(129)), '/newPassword too-long'],
    ['NUL', change('correct\0horse'), '/newPassword invalid-characters']
  ])
})

t.test(
  'only one of two concurrent password changes succeeds, and its password is stored',
  async (t) => {
    const { call, user } = await aCaller(app)
    const wishes = [newPassword, 'another horse battery']
    const answers = await Promise.all(
      wishes.map((wish) =>
        call('PUT', '/api/user/password', { currentPassword: password, newPassword: wish })
      )
    )
    const statuses = answers.map((answer) => answer.statusCode)
    t.equal(statuses.filter((status) => status === 204).length, 1, String(statuses))
    const winner = wishes[statuses.indexOf(204)] ?? ''
    t.equal(await signIn(user.email, winner), 200)
    t.equal(await me(cookieOf(answers[statuses.indexOf(204)] ?? (answers[0] as never))), 200)
  }
)

t.test('deleting the own account ends its sessions and keeps its activity records', async (t) => {
  const { call, user, cookie } = await aCaller(app)
  const other = await signedIn(app, user.email)
  const response = await call('POST', '/api/user/deletion', { currentPassword: password })
  t.equal(response.statusCode, 204)
  t.match(response.headers['set-cookie'], [
    /^portal_session=; Max-Age=0;/,
    /^portal_device=; Max-Age=0;/
  ])
  t.same([await me(cookie), await me(other)], [401, 401])
  t.equal(await signIn(user.email, password), 401)
  t.same(await app.db.select().from(users).where(eq(users.id, user.id)), [])
  t.match(await activityOf(app.database, user.id), [
    { action: 'user.delete', actorId: user.id, details: { email: user.email } }
  ])
  t.equal(
    (
      await app.inject({
        method: 'POST',
        url: '/api/auth/register',
        payload: { email: user.email, password, name: 'Ada' }
      })
    ).statusCode,
    201,
    'the address is free again'
  )
})

t.test('the last administrator cannot delete their account, but one of two can', async (t) => {
  const app = await ownApp(t)
  const { call } = await aCaller(app, 'admin')
  const refused = await call('POST', '/api/user/deletion', { currentPassword: password })
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), { code: 'last-admin' })
  const second = await aUser(app.database)
  await grantRole(app.db, operator, { userId: second.id, role: 'admin' })
  t.equal((await call('POST', '/api/user/deletion', { currentPassword: password })).statusCode, 204)
})
