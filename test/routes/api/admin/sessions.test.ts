// Also on PGlite.

import t from 'tap'
import { eq, sql } from 'drizzle-orm'
import { sessions } from '../../../../db/schema/sessions.ts'
import { aCaller, activityOf, aUser, signedIn, testApp } from '../../../support/app.ts'
import { scenarios } from '../../../support/scenarios.ts'

const app = await testApp(t)
const { call, user: admin } = await aCaller(app, 'admin')
const nobody = '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'
const idOf = async (cookie: string): Promise<string> =>
  (await app.inject({ url: '/api/auth/me', headers: { cookie } })).json().session.id

t.test('sessions are listed by user and by state, which depends on the clock', async (t) => {
  const user = await aUser(app.database)
  const start = async (changes?: object) => {
    const id = await idOf(await signedIn(app, user.email))
    if (changes) await app.db.update(sessions).set(changes).where(eq(sessions.id, id))
    return id
  }
  const live = await start()
  const idle = await start({ lastSeenAt: sql`now() - interval '25 hours'` })
  const over = await start({ expiresAt: sql`now()` })
  const revoked = await start({ revokedAt: sql`now()`, revokeReason: 'logout' })
  const list = async (query: string) =>
    (await call('GET', `/api/admin/sessions?userId=${user.id}${query}`))
      .json()
      .items.map((item: { id: string }) => item.id)
  t.same(await list(''), [revoked, over, idle, live])
  t.same(await list('&sort=createdAt'), [live, idle, over, revoked])
  t.same(await list('&state=active'), [live])
  t.same(await list('&state=expired'), [over, idle])
  t.same(await list('&state=expired&sort=createdAt'), [idle, over])
  t.same(await list('&state=revoked'), [revoked])
  t.same(await list('&limit=2'), [revoked, over])

  const shown = (await call('GET', `/api/admin/sessions/${revoked}`)).json()
  t.same(Object.keys(shown).sort(), [
    'assurance',
    'createdAt',
    'expiresAt',
    'id',
    'ip',
    'lastSeenAt',
    'revokeReason',
    'revokedAt',
    'user',
    'userAgent',
    'userId'
  ])
  t.match(shown, { userId: user.id, revokeReason: 'logout', ip: '127.0.0.1' })
})

t.test('sessions are found by the address or the network of their sign-in', async (t) => {
  const user = await aUser(app.database)
  const start = async (ip: string) => {
    const id = await idOf(await signedIn(app, user.email))
    await app.db.update(sessions).set({ ip }).where(eq(sessions.id, id))
    return id
  }
  const stolen = await start('198.51.100.77')
  const neighbour = await start('198.51.100.78')
  const ended = await start('198.51.100.77')
  t.equal((await call('DELETE', `/api/admin/sessions/${ended}`)).statusCode, 204)
  const list = async (query: string) =>
    (await call('GET', `/api/admin/sessions?userId=${user.id}&${query}`))
      .json()
      .items.map((item: { id: string }) => item.id)
  t.same(await list('ip=198.51.100.77'), [ended, stolen])
  t.same(await list('ip=198.51.100.77&state=active'), [stolen])
  t.same(await list('ip=198.51.100.0/24&state=active'), [neighbour, stolen])
  t.same(await list('ip=2001:db8::/32'), [])
  await scenarios(t, call, [
    ['no address', 'GET /api/admin/sessions?ip=somewhere', undefined, 400, 'invalid-request']
  ])
})

t.test(
  'a session is revoked once, and its owner sees the revocation in their activity only',
  async (t) => {
    const { call: their, cookie, user } = await aCaller(app)
    const id = await idOf(cookie)
    t.equal((await call('DELETE', `/api/admin/sessions/${id}`)).statusCode, 204)
    t.equal((await their('GET', '/api/auth/me')).statusCode, 401)
    t.match((await call('DELETE', `/api/admin/sessions/${id}`)).json(), {
      status: 404,
      code: 'session-not-found'
    })
    t.match((await call('GET', `/api/admin/sessions/${id}`)).json(), { revokeReason: 'revoked' })
    t.match((await activityOf(app.database, user.id))[0], {
      action: 'session.revoke',
      actorId: admin.id,
      details: { sessionId: id }
    })
  }
)

t.test('all sessions of a user are revoked at once, even if there is none', async (t) => {
  const { user, cookie } = await aCaller(app)
  const other = await signedIn(app, user.email)
  for (let n = 0; n < 2; n++) {
    t.equal((await call('DELETE', `/api/admin/sessions?userId=${user.id}`)).statusCode, 204)
  }
  for (const each of [cookie, other]) {
    t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie: each } })).statusCode, 401)
  }
  t.same(
    (await activityOf(app.database, user.id))
      .filter((record) => record.action === 'session.revoke')
      .map((record) => record.details),
    [{ revoked: 2 }]
  )
})

t.test('unknown, missing and malformed ids are rejected', async (t) => {
  const all = '/api/admin/sessions'
  await scenarios(t, call, [
    ['unknown', `GET ${all}/${nobody}`, undefined, 404, 'session-not-found'],
    ['unknown', `DELETE ${all}/${nobody}`, undefined, 404, 'session-not-found'],
    ['an unknown user', `DELETE ${all}?userId=${nobody}`, undefined, 404, 'user-not-found'],
    ['no user', `DELETE ${all}`, undefined, 400, '/query/userId required'],
    ['no state', `GET ${all}?state=asleep`, undefined, 400, '/query/state not-allowed'],
    ['no id', `GET ${all}?userId=1`, undefined, 400, '/query/userId malformed'],
    ['nothing of them', `GET ${all}?userId=${nobody}`, undefined, 200, { items: [] }]
  ])
})
