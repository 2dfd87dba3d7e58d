import t from 'tap'
import { and, eq } from 'drizzle-orm'
import { activity } from '../../../../db/schema/activity.ts'
import { sessions } from '../../../../db/schema/sessions.ts'
import { aUser, signedIn, testApp } from '../../../support/app.ts'

const app = await testApp(t)
const logout = (headers = {}, payload?: string) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/logout',
    headers,
    ...(payload !== undefined && { payload })
  })
const me = (cookie: string) => app.inject({ url: '/api/auth/me', headers: { cookie } })
const cleared =
  'portal_session=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax'

t.test('logout clears the cookie, and its token is no longer valid', async (t) => {
  const user = await aUser(app.database)
  const cookie = await signedIn(app, user.email)
  const response = await logout({ cookie })
  t.equal(response.statusCode, 204)
  t.equal(response.body, '')
  t.equal(response.headers['set-cookie'], cleared)
  t.equal((await me(cookie)).statusCode, 401)
  t.match(await app.db.select().from(sessions).where(eq(sessions.userId, user.id)), [
    { revokeReason: 'logout', revokedAt: Date }
  ])
})

t.test('logout is recorded once, however often it is repeated', async (t) => {
  const user = await aUser(app.database)
  const cookie = await signedIn(app, user.email)
  await logout({ cookie })
  t.equal((await logout({ cookie })).statusCode, 204)
  const records = await app.db
    .select()
    .from(activity)
    .where(and(eq(activity.actorId, user.id), eq(activity.action, 'auth.logout')))
  t.match(records, [
    { outcome: 'success', actorType: 'user', actorLabel: user.email, targetType: 'session' }
  ])
  t.equal(records.length, 1)
})

t.test('logout without a valid cookie gets the same response', async (t) => {
  for (const headers of [
    {},
    { cookie: 'portal_session=nonsense' },
    { cookie: 'portal_session=' }
  ]) {
    const response = await logout(headers)
    t.equal(response.statusCode, 204)
    t.equal(response.headers['set-cookie'], cleared)
  }
})

t.test('logout ends the sessions of all session cookies', async (t) => {
  const user = await aUser(app.database)
  const [one, two] = [await signedIn(app, user.email), await signedIn(app, user.email)]
  t.equal((await logout({ cookie: `${one}; other=1; ${two}` })).statusCode, 204)
  t.equal((await me(one)).statusCode, 401)
  t.equal((await me(two)).statusCode, 401)
})

t.test('an empty JSON body counts as no body', async (t) => {
  t.equal((await logout({ 'content-type': 'application/json' }, '')).statusCode, 204)
})

t.test('a body of another type is rejected', async (t) => {
  t.equal((await logout({ 'content-type': 'text/plain' }, 'x')).statusCode, 415)
})
