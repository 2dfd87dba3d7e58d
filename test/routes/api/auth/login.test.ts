import t from 'tap'
import { eq } from 'drizzle-orm'
import { activity } from '../../../../db/schema/activity.ts'
import { users } from '../../../../db/schema/users.ts'
import { aUser, cookieOf, freshEmail, password, signedIn, testApp } from '../../../support/app.ts'
import { userPermissions } from '../../../support/permissions.ts'
import { callOf, rejects } from '../../../support/scenarios.ts'

const app = await testApp(t)
const login = (payload: object, headers = {}) =>
  app.inject({ method: 'POST', url: '/api/auth/login', headers, payload })
const me = (cookie: string) => app.inject({ url: '/api/auth/me', headers: { cookie } })
const records = (userId: string) =>
  app.db.select().from(activity).where(eq(activity.targetId, userId))

t.test('login returns user and session, and the token in the cookie only', async (t) => {
  const user = await aUser(app.database)
  const response = await login({ email: user.email, password })
  t.equal(response.statusCode, 200)
  t.match(response.json(), {
    user: {
      id: user.id,
      email: user.email,
      roles: ['user'],
      permissions: userPermissions
    }
  })
  const [, token = ''] = cookieOf(response).split('=')
  t.match(response.headers['set-cookie'], [
    /^portal_session=[\w-]+\.[\w-]+\.[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    /^portal_device=[\da-f-]{36}\.1\.[\w-]{22}\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/
  ])
  t.notOk(response.body.includes(token), 'the token is not in the body')
  t.notMatch(response.body, /passwordHash|password_hash|\$2b\$/)
  const { createdAt, expiresAt, idleExpiresAt } = response.json().session
  t.equal(Date.parse(expiresAt) - Date.parse(createdAt), 604_800_000)
  t.equal(Date.parse(idleExpiresAt) - Date.parse(createdAt), 86_400_000)
})

t.test('the e-mail address is case-insensitive', async (t) => {
  const email = freshEmail()
  await aUser(app.database, email)
  t.equal((await login({ email: email.toUpperCase(), password })).statusCode, 200)
})

t.test(
  'unknown address, wrong password and deactivated user get the same refusal and no cookie',
  async (t) => {
    const user = await aUser(app.database)
    const deactivated = await aUser(app.database)
    await app.db.update(users).set({ status: 'deactivated' }).where(eq(users.id, deactivated.id))
    const withoutHash = await aUser(app.database)
    await app.db.update(users).set({ passwordHash: null }).where(eq(users.id, withoutHash.id))
    const attempts = [
      { email: freshEmail(), password },
      { email: user.email, password: 'wrong horse battery' },
      { email: deactivated.email, password },
      { email: withoutHash.email, password },
      { email: user.email, password: 'x'.repeat(200) },
      { email: user.email, password: `${password}\0` },
      { email: user.email, password: '\ud800' },
      { email: user.email, password: '' }
    ]
    const answers = []
    for (const attempt of attempts) {
      const response = await login(attempt)
      t.equal(response.headers['set-cookie'], undefined)
      const { instance, ...problem } = response.json()
      answers.push({ status: response.statusCode, problem })
    }
    for (const answer of answers) t.same(answer, answers[0])
    t.match(answers[0], { status: 401, problem: { code: 'invalid-credentials' } })
  }
)

t.test(
  'a failed login is recorded with its reason, and for an unknown address without the address',
  async (t) => {
    const user = await aUser(app.database)
    await login({ email: user.email, password: 'wrong horse battery' })
    t.match(
      (await records(user.id)).filter((record) => record.action === 'auth.login'),
      [
        {
          outcome: 'failure',
          reason: 'wrong-password',
          actorType: 'anonymous',
          source: 'api',
          ip: '127.0.0.1',
          details: { email: user.email }
        }
      ]
    )

    const email = freshEmail()
    const response = await login({ email, password })
    const requestId = response.headers['x-request-id'] as string
    const [record] = await app.db.select().from(activity).where(eq(activity.requestId, requestId))
    t.match(record, {
      action: 'auth.login',
      outcome: 'failure',
      reason: 'unknown-account',
      details: {}
    })
    t.notOk(JSON.stringify(record).includes(email))
  }
)

t.test(
  'a successful login is recorded with user and session, and as last login of the user',
  async (t) => {
    const user = await aUser(app.database)
    const response = await login({ email: user.email, password }, { 'user-agent': 'test\tagent' })
    const [record] = await app.db
      .select()
      .from(activity)
      .where(eq(activity.targetId, response.json().session.id))
    t.match(record, {
      action: 'auth.login',
      outcome: 'success',
      actorType: 'user',
      actorId: user.id,
      actorLabel: user.email,
      userAgent: 'testagent',
      targetType: 'session'
    })
    const [row] = await app.db.select().from(users).where(eq(users.id, user.id))
    t.type(row?.lastLoginAt, Date)
  }
)

t.test('a login replaces the session of the cookie it is sent with', async (t) => {
  const user = await aUser(app.database)
  const first = await signedIn(app, user.email)
  const second = await signedIn(app, user.email, { cookie: first })
  t.not(second, first)
  t.equal((await me(first)).statusCode, 401)
  t.equal((await me(second)).statusCode, 200)
})

t.test('a failed login does not end the session of the cookie it is sent with', async (t) => {
  const user = await aUser(app.database)
  const cookie = await signedIn(app, user.email)
  t.equal(
    (await login({ email: user.email, password: 'wrong horse battery' }, { cookie })).statusCode,
    401
  )
  t.equal((await me(cookie)).statusCode, 200)
})

t.test("a login without a cookie does not end the user's other sessions", async (t) => {
  const user = await aUser(app.database)
  const laptop = await signedIn(app, user.email)
  const phone = await signedIn(app, user.email)
  t.equal((await me(laptop)).statusCode, 200)
  t.equal((await me(phone)).statusCode, 200)
})

t.test(
  'an invalid address, and only a password over the limit, are rejected by name',
  async (t) => {
    await rejects(t, callOf(app), 'POST /api/auth/login', [
      ['no address', { email: 'nobody', password }, '/email invalid-email'],
      ['513 characters', { email: freshEmail(), password: 'x'.repeat(513) }, '/password too-long']
    ])
  }
)
