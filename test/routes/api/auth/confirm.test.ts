import { eq } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../../db/schema/activity.ts'
import { registrations } from '../../../../db/schema/tokens.ts'
import { users } from '../../../../db/schema/users.ts'
import { activityOf, aUser, cookieOf, freshEmail, password, testApp } from '../../../support/app.ts'
import { aConfirmedCaller, confirmed, mailsOf } from '../../../support/mails.ts'

const app = await testApp(t, { EMAIL_VERIFICATION: 'required' })
const mails = mailsOf(app)
const post = (url: string, payload: object, cookie = '') =>
  app.inject({ method: 'POST', url, headers: { cookie }, payload })
const register = (email: string, secret = password, name = 'Zoë') =>
  post('/api/auth/register', { email, password: secret, name })
const confirm = (token: string, secret = password, cookie = '') =>
  post('/api/auth/confirm', { token, password: secret }, cookie)
const login = (email: string, secret = password) =>
  post('/api/auth/login', { email, password: secret })
const accountOf = async (email: string) =>
  (await app.db.select().from(users).where(eq(users.emailNormalized, email)))[0]
/** The token that a new registration gets by mail. */
async function aRegistration(email = freshEmail(), secret = password) {
  await register(email, secret)
  return { email, token: await mails.token(email, 'confirm') }
}
const invalid = { status: 400, code: 'invalid-token' }
const wrong = 'not this one'

t.test('the token and the password create the account and sign in', async (t) => {
  const { email, token } = await aRegistration()
  const response = await confirm(token)
  t.equal(response.statusCode, 200)
  const { user, session } = response.json()
  t.match(user, { email, emailVerified: true, name: 'Zoë', status: 'active', roles: ['user'] })
  t.match(response.headers['set-cookie'], [
    /^portal_session=.+HttpOnly/,
    /^portal_device=.+HttpOnly/
  ])
  const me = await app.inject({ url: '/api/auth/me', headers: { cookie: cookieOf(response) } })
  t.match(me.json(), { user: { id: user.id, emailVerified: true }, session: { id: session.id } })
  t.equal((await login(email)).statusCode, 200, 'and the password signs in from now on')
  const waiting = await app.db.select().from(registrations).where(eq(registrations.email, email))
  t.same(waiting, [], 'the registration is gone')
  t.match(await activityOf(app.database, user.id), [
    { action: 'auth.register', outcome: 'success', actorType: 'user', actorId: user.id }
  ])
  const logins = await app.db.select().from(activity).where(eq(activity.targetId, session.id))
  t.match(logins, [{ action: 'auth.login', outcome: 'success', actorId: user.id }])
})

t.test('a wrong password confirms nothing, is recorded, and leaves the token good', async (t) => {
  const { email, token } = await aRegistration()
  const refused = await confirm(token, wrong)
  t.equal(refused.statusCode, 401)
  t.match(refused.json(), { code: 'invalid-credentials' })
  t.equal(refused.headers['set-cookie'], undefined)
  t.equal(await accountOf(email), undefined)
  const requestId = refused.headers['x-request-id'] as string
  const records = await app.db.select().from(activity).where(eq(activity.requestId, requestId))
  t.match(records, [{ action: 'auth.confirm-failed', outcome: 'failure' }])
  t.notMatch(JSON.stringify(records), token)
  t.equal((await confirm(token)).statusCode, 200)
})

t.test('four wrong passwords do not', async (t) => {
  const { token } = await aRegistration()
  for (let i = 0; i < 4; i++) t.equal((await confirm(token, wrong)).statusCode, 401)
  t.equal((await confirm(token)).statusCode, 200)
})

t.test(
  'a stranger who registers first cannot sign in, before or after the owner confirms',
  async (t) => {
    const email = freshEmail()
    const stranger = await aRegistration(email, 'the stranger waits')
    const owner = await aRegistration(email)
    t.not(stranger.token, owner.token)
    t.equal((await confirm(stranger.token)).statusCode, 401, 'the owner opens the wrong mail')
    t.equal((await confirm(owner.token, 'the stranger waits')).statusCode, 401)
    t.equal((await login(email, 'the stranger waits')).statusCode, 401)

    const { user } = (await confirm(owner.token)).json()
    t.match(user, { email })
    const left = await app.db.$count(registrations, eq(registrations.email, email))
    t.equal(left, 0, 'nothing of the stranger is left')
    t.match((await confirm(stranger.token, 'the stranger waits')).json(), invalid)
    t.equal((await login(email, 'the stranger waits')).statusCode, 401)
    t.equal((await login(email)).json().user.id, user.id)
  }
)

t.test('a stranger who registers last cannot either', async (t) => {
  const email = freshEmail()
  const owner = await aRegistration(email)
  const stranger = await aRegistration(email, 'the stranger waits')
  t.equal((await confirm(owner.token)).statusCode, 200)
  t.match((await confirm(stranger.token, 'the stranger waits')).json(), invalid)
  t.equal((await login(email, 'the stranger waits')).statusCode, 401)
})

t.test('an account that was created meanwhile is left alone', async (t) => {
  const { email, token } = await aRegistration()
  const user = await confirmed(app.database, await aUser(app.database, email))
  const before = await accountOf(email)
  t.match((await confirm(token)).json(), invalid)
  t.same(await accountOf(email), before)
  t.equal((await login(email)).json().user.id, user.id)
})

t.test('the new session replaces the one of another account in the same browser', async (t) => {
  const other = await aConfirmedCaller(app)
  const { token } = await aRegistration()
  t.equal((await confirm(token, password, other.cookie)).statusCode, 200)
  t.equal((await other.call('GET', '/api/auth/me')).statusCode, 401)
})

t.test('a deleted registration cannot be confirmed', async (t) => {
  const { email, token } = await aRegistration()
  await app.db.delete(registrations).where(eq(registrations.email, email))
  t.match((await confirm(token)).json(), invalid)
})
