import t from 'tap'
import {
  activityOf,
  aCaller,
  aUser,
  freshEmail,
  password,
  ownApp,
  testApp
} from '../../../support/app.ts'
import { confirmed } from '../../../support/mails.ts'

// In production without a mail server an address changes at once.

const production = { development: false, PUBLIC_ORIGIN: 'https://portal.example.com' }
const app = await testApp(t, production)
const signIn = async (email: string, password: string) =>
  (await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } }))
    .statusCode

t.test('the e-mail address changes, and me returns it', async (t) => {
  const { call, user } = await aCaller(app)
  await confirmed(app.database, user)
  const email = freshEmail().replace('example', 'EXAMPLE')
  const response = await call('PUT', '/api/user/email', { email, currentPassword: password })
  t.equal(response.statusCode, 200)
  t.same(response.json(), { email, verified: false, pending: null })
  t.same((await call('GET', '/api/user/email')).json(), { email, verified: false, pending: null })
  t.match((await call('GET', '/api/auth/me')).json(), { user: { email, emailVerified: false } })
  t.equal(await signIn(user.email, password), 401)
  t.equal(await signIn(email.toLowerCase(), password), 200)
  t.match(
    (await activityOf(app.database, user.id)).find((record) => record.action === 'user.update'),
    { details: { fields: ['email'], changes: { email: { from: user.email, to: email } } } }
  )
})

t.test('a change of letter case keeps the address confirmed', async (t) => {
  const { call, user } = await aCaller(app)
  await confirmed(app.database, user)
  const email = user.email.toUpperCase()
  const response = await call('PUT', '/api/user/email', { email, currentPassword: password })
  t.same(response.json(), { email, verified: true, pending: null })
})

t.test(
  'a registered e-mail address is a conflict in any spelling, and an invalid one is rejected by name',
  async (t) => {
    const { call } = await aCaller(app)
    const taken = await aUser(app.database)
    const conflict = await call('PUT', '/api/user/email', {
      email: taken.email.toUpperCase(),
      currentPassword: password
    })
    t.equal(conflict.statusCode, 409)
    t.match(conflict.json(), { code: 'email-taken' })
    const refused = await call('PUT', '/api/user/email', {
      email: 'ada',
      currentPassword: password
    })
    t.equal(refused.statusCode, 400)
    t.match(refused.json().errors, [{ pointer: '/email', code: 'invalid-email' }])
  }
)

t.test('a user cannot find out about any number of addresses', async (t) => {
  const limited = await ownApp(t, {
    ...production,
    THROTTLE_REGISTER: { burst: 3, seconds: 6000 }
  })
  const { email: taken } = await aUser(limited.database)
  for (const currentPassword of [password, undefined]) {
    const { call } = await aCaller(limited)
    const ask = async () => {
      const body = { email: taken, ...(currentPassword && { currentPassword }) }
      return (await call('PUT', '/api/user/email', body)).statusCode
    }
    const statuses = [await ask(), await ask(), await ask(), await ask()]
    t.same(statuses, currentPassword ? [409, 409, 409, 429] : [429, 429, 429, 429])
  }
})
