import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../../../db/schema/sessions.ts'
import { deleteUser, updateUser } from '../../../../src/domain/administration/users.ts'
import { createFlag } from '../../../../src/domain/flags/flags.ts'
import { aCaller, activityOf, operator, signedIn, testApp } from '../../../support/app.ts'
import { onOrOff } from '../../../support/flags.ts'

const app = await testApp(t)
const me = async (cookie: string) =>
  (await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode
const idOf = async (cookie: string): Promise<string> =>
  (await app.inject({ url: '/api/auth/me', headers: { cookie } })).json().session.id

t.test(
  'users see only their own active sessions, newest first, with the current one marked',
  async (t) => {
    const { call, user, cookie } = await aCaller(app)
    await aCaller(app)
    const ended = await signedIn(app, user.email)
    await app.inject({ method: 'POST', url: '/api/auth/logout', headers: { cookie: ended } })
    const phone = await signedIn(app, user.email, { 'user-agent': 'A phone' })
    const { items, nextCursor } = (await call('GET', '/api/user/sessions')).json()
    t.equal(nextCursor, null)
    t.match(items, [
      { id: await idOf(phone), current: false, userAgent: 'A phone' },
      { id: await idOf(cookie), current: true, userId: user.id, revokedAt: null }
    ])
    t.equal(items.length, 2)
  }
)

t.test('a session that idled out or expired is not listed', async (t) => {
  const { call, user } = await aCaller(app)
  for (const changes of [
    { lastSeenAt: sql`now() - interval '25 hours'` },
    { expiresAt: sql`now()` }
  ]) {
    const id = await idOf(await signedIn(app, user.email))
    await app.db.update(sessions).set(changes).where(eq(sessions.id, id))
  }
  t.equal((await call('GET', '/api/user/sessions')).json().items.length, 1)
})

t.test('a session is revoked by its id, once', async (t) => {
  const { call, user, cookie } = await aCaller(app)
  const other = await signedIn(app, user.email)
  const id = await idOf(other)
  const response = await call('DELETE', `/api/user/sessions/${id}`)
  t.equal(response.statusCode, 204)
  t.equal(response.headers['set-cookie'], undefined, 'the present cookie stays')
  t.same([await me(other), await me(cookie)], [401, 200])
  t.equal((await call('DELETE', `/api/user/sessions/${id}`)).statusCode, 404)
  t.match(await activityOf(app.database, user.id), [
    { action: 'session.revoke', details: { sessionId: id } }
  ])
})

t.test('revoking the current session clears its cookie', async (t) => {
  const { call, cookie } = await aCaller(app)
  const response = await call('DELETE', `/api/user/sessions/${await idOf(cookie)}`)
  t.equal(response.statusCode, 204)
  t.match(response.headers['set-cookie'], /^portal_session=; Max-Age=0;/)
  t.equal(await me(cookie), 401)
})

t.test(
  "other users' sessions and unknown ids are not found, and malformed ids are rejected",
  async (t) => {
    const { call } = await aCaller(app)
    const stranger = await aCaller(app)
    const answers = await Promise.all(
      [await idOf(stranger.cookie), '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'].map((id) =>
        call('DELETE', `/api/user/sessions/${id}`)
      )
    )
    for (const answer of answers) {
      t.equal(answer.statusCode, 404)
      t.equal(answer.json().code, 'session-not-found')
      t.equal(answer.json().detail, answers[0]?.json().detail, 'the same words for both')
    }
    t.equal(await me(stranger.cookie), 200)
    const malformed = await call('DELETE', '/api/user/sessions/1')
    t.equal(malformed.statusCode, 400)
    t.match(malformed.json(), { code: 'invalid-request', errors: [{ pointer: '/path/id' }] })
  }
)

t.test('all other sessions are revoked at once', async (t) => {
  const { call, user, cookie } = await aCaller(app)
  const stranger = await aCaller(app)
  const others = [await signedIn(app, user.email), await signedIn(app, user.email)]
  t.equal((await call('DELETE', '/api/user/sessions')).statusCode, 204)
  t.same(await Promise.all([...others, cookie, stranger.cookie].map(me)), [401, 401, 200, 200])
  t.match(await activityOf(app.database, user.id), [
    { action: 'session.revoke', details: { revoked: 2 } }
  ])
  t.equal((await call('DELETE', '/api/user/sessions')).statusCode, 204, 'none left is fine')
  t.equal(
    (await activityOf(app.database, user.id)).filter((record) => record.action === 'session.revoke')
      .length,
    1,
    'and not worth a record'
  )
})

t.test(
  'users see their own actions and actions on their account, without details of other actors',
  async (t) => {
    const { call, user } = await aCaller(app)
    const admin = await aCaller(app, 'admin')
    await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: user.email, password: 'wrong password' },
      remoteAddress: '203.0.113.9'
    })
    await admin.call('PATCH', `/api/admin/users/${user.id}`, { name: 'Renamed' })
    await call('PUT', '/api/user/theme', { theme: 'dark' })
    const { items } = (await call('GET', '/api/user/activity')).json()
    t.match(
      items.map((item: { action: string }) => item.action),
      ['user.update', 'user.update', 'auth.login', 'auth.login', 'auth.register']
    )
    t.match(items[0], { actorId: user.id, actorLabel: user.email })
    t.match(items[1], {
      actorType: 'user',
      actorId: null,
      actorLabel: null,
      ip: null,
      userAgent: null,
      requestId: null,
      details: { fields: ['name'] }
    })
    t.match(items[2], { outcome: 'failure', reason: 'wrong-password', ip: '203.0.113.9' })
    t.notMatch(JSON.stringify(items), admin.user.email)
  }
)

t.test('a flag whose key is the id of a user is not in the activity of that user', async (t) => {
  const { call, user } = await aCaller(app)
  await createFlag(app.db, operator, { ...onOrOff, key: user.id })
  const { items } = (await call('GET', '/api/user/activity')).json()
  t.same(
    items.map((item: { action: string }) => item.action),
    ['auth.login', 'auth.register']
  )
})

t.test('own activity is listed page by page, each record once', async (t) => {
  const { call, user } = await aCaller(app)
  for (let n = 0; n < 7; n++) {
    await call('PUT', '/api/user/theme', { theme: n % 2 ? 'light' : 'dark' })
    await updateUser(app.context, operator, { id: user.id, changes: { name: `Name ${n}` } })
  }
  const all = (await call('GET', '/api/user/activity?limit=200')).json().items
  t.equal(all.length, 16)
  const walked = []
  let url: string | undefined = '/api/user/activity?limit=3'
  while (url) {
    const response = await call('GET', url)
    walked.push(...response.json().items)
    url = /^<(.*)>; rel="next"$/.exec(String(response.headers.link))?.[1]
  }
  t.same(walked, all)
})

t.test('a deleted or deactivated user is signed out with the next request', async (t) => {
  const deleted = await aCaller(app)
  const deactivated = await aCaller(app)
  await deleteUser(app.context, operator, { id: deleted.user.id })
  await updateUser(app.context, operator, {
    id: deactivated.user.id,
    changes: { status: 'deactivated' }
  })
  t.equal((await deleted.call('GET', '/api/user/sessions')).statusCode, 401)
  t.equal((await deactivated.call('PUT', '/api/user/theme', { theme: 'dark' })).statusCode, 401)
  await updateUser(app.context, operator, {
    id: deactivated.user.id,
    changes: { status: 'active' }
  })
  t.equal(
    (await deactivated.call('GET', '/api/user/sessions')).statusCode,
    401,
    'reactivation brings no session back'
  )
  t.ok(await signedIn(app, deactivated.user.email))
})
