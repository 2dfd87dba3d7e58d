// Also on PGlite.

import t from 'tap'
import { eq, sql } from 'drizzle-orm'
import { epochs } from '../../../../db/schema/epochs.ts'
import { sessions } from '../../../../db/schema/sessions.ts'
import { rolePermissions, roles } from '../../../../db/schema/roles.ts'
import { users } from '../../../../db/schema/users.ts'
import { grantRole, revokeRole } from '../../../../src/domain/access/memberships.ts'
import {
  aCaller,
  aUser,
  cookieOf,
  operator,
  password,
  signedIn,
  ownApp,
  testApp
} from '../../../support/app.ts'

const app = await testApp(t)
const me = (cookie?: string) =>
  app.inject({ url: '/api/auth/me', ...(cookie !== undefined && { headers: { cookie } }) })

async function aSession() {
  const user = await aUser(app.database)
  return { user, cookie: await signedIn(app, user.email) }
}
const age = (userId: string, changes: object) =>
  app.db.update(sessions).set(changes).where(eq(sessions.userId, userId))

t.test('me returns the user and the session without private fields', async (t) => {
  const { user, cookie } = await aSession()
  const response = await me(cookie)
  t.equal(response.statusCode, 200)
  t.same(Object.keys(response.json().user).sort(), [
    'createdAt',
    'email',
    'emailVerified',
    'id',
    'name',
    'permissions',
    'roles',
    'status',
    'suspendedRoles',
    'theme',
    'updatedAt'
  ])
  const { session } = response.json()
  t.same(Object.keys(session).sort(), [
    'amr',
    'assurance',
    'authenticatedAt',
    'createdAt',
    'expiresAt',
    'id',
    'idleExpiresAt'
  ])
  t.same([session.amr, session.assurance], [['pwd'], 1])
  t.equal(session.authenticatedAt, session.createdAt)
  t.same(response.json().user.suspendedRoles, [])
  t.equal(response.json().user.id, user.id)
  t.equal(response.headers['set-cookie'], undefined)
})

t.test('every kind of missing session gets the same refusal and keeps the cookie', async (t) => {
  const revoked = await aSession()
  await age(revoked.user.id, { revokedAt: sql`now()`, revokeReason: 'revoked' })
  const expired = await aSession()
  await age(expired.user.id, { expiresAt: sql`now() - interval '1 second'` })
  const idle = await aSession()
  await age(idle.user.id, { lastSeenAt: sql`now() - interval '24 hours 1 second'` })
  const deactivated = await aSession()
  await app.db.update(users).set({ status: 'deactivated' }).where(eq(users.id, deactivated.user.id))
  const deleted = await aSession()
  await app.db.delete(users).where(eq(users.id, deleted.user.id))
  const good = await aSession()
  t.equal((await me(good.cookie)).statusCode, 200, 'the good one is good')

  const cookies = {
    none: undefined,
    empty: 'portal_session=',
    nonsense: 'portal_session=nonsense',
    'of the other mode': good.cookie.replace('portal_session', '__Host-portal_session'),
    tampered: good.cookie.slice(0, -2) + (good.cookie.endsWith('AA') ? 'BB' : 'AA'),
    quoted: good.cookie.replace(/=(.*)/, '="$1"'),
    'sent twice': `${good.cookie}; ${good.cookie}`,
    'with a planted one': `portal_session=x; ${good.cookie}`,
    revoked: revoked.cookie,
    expired: expired.cookie,
    idle: idle.cookie,
    deactivated: deactivated.cookie,
    deleted: deleted.cookie
  }
  for (const [name, cookie] of Object.entries(cookies)) {
    const response = await me(cookie)
    t.equal(response.statusCode, 401, name)
    t.equal(response.headers['set-cookie'], undefined, name)
    t.match(response.json(), { code: 'unauthenticated', title: 'Not signed in' }, name)
  }
})

t.test('the token is accepted in the cookie only', async (t) => {
  const { cookie } = await aSession()
  const token = cookie.split('=')[1]
  t.equal(
    (await app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } }))
      .statusCode,
    401
  )
  t.equal((await app.inject({ url: `/api/auth/me?portal_session=${token}` })).statusCode, 401)
})

t.test('a granted or revoked role takes effect with the next request', async (t) => {
  const { user, cookie } = await aSession()
  await grantRole(app.db, operator, { userId: user.id, role: 'admin' })
  await grantRole(app.db, operator, { userId: (await aSession()).user.id, role: 'admin' })
  const promoted = (await me(cookie)).json().user
  t.same(promoted.roles, ['admin', 'user'])
  t.ok(promoted.permissions.includes('users:delete'))
  for (const role of ['admin', 'user']) {
    await revokeRole(app.db, operator, { userId: user.id, role })
  }
  const { roles, permissions } = (await me(cookie)).json().user
  t.same([roles, permissions], [[], []])
})

t.test('a permission granted by two roles is listed once', async (t) => {
  const { user, cookie } = await aSession()
  await grantRole(app.db, operator, { userId: user.id, role: 'admin' })
  const [admin] = await app.db.select().from(roles).where(eq(roles.key, 'admin'))
  const { permissions } = (await me(cookie)).json().user
  t.equal(new Set(permissions).size, permissions.length)
  const [{ total } = { total: 0 }] = await app.db
    .select({ total: sql<number>`count(*)::int` })
    .from(rolePermissions)
    .where(eq(rolePermissions.roleId, admin?.id ?? ''))
  t.equal(permissions.length, total)
})

t.test('a session that cannot be checked is 503, also where it is optional', async (t) => {
  const app = await ownApp(t)
  const { call } = await aCaller(app)
  await app.db.delete(epochs) // as in a database that is broken
  for (const url of ['/api/auth/me', '/api/auth/session']) {
    t.match((await call('GET', url)).json(), { status: 503, code: 'database-unavailable' }, url)
  }
})

t.test('idleExpiresAt is the idle time from now, but not after expiresAt', async (t) => {
  const { user, cookie } = await aSession()
  await age(user.id, { expiresAt: sql`date_trunc('milliseconds', now() + interval '1 hour')` })
  const { session } = (await me(cookie)).json()
  t.equal(session.idleExpiresAt, session.expiresAt)
})

t.test('a request extends a session that is about to idle out at once', async (t) => {
  const { user, cookie } = await aSession()
  await age(user.id, { lastSeenAt: sql`now() - interval '23 hours 59 minutes'` })
  t.equal((await me(cookie)).statusCode, 200)
  const [row] = await app.db
    .select({ fresh: sql<boolean>`${sessions.lastSeenAt} > now() - interval '1 minute'` })
    .from(sessions)
    .where(eq(sessions.userId, user.id))
  t.equal(row?.fresh, true)
})

t.test('HEAD gets the response of GET without the body', async (t) => {
  const { cookie } = await aSession()
  const response = await app.inject({ method: 'HEAD', url: '/api/auth/me', headers: { cookie } })
  t.equal(response.statusCode, 200)
  t.equal(response.body, '')
  t.equal((await app.inject({ method: 'HEAD', url: '/api/auth/me' })).statusCode, 401)
})

t.test(
  'in production only the cookie with the __Host- prefix, Secure and SameSite=Strict is accepted',
  async (t) => {
    const production = await testApp(t, {
      development: false,
      PUBLIC_ORIGIN: 'https://portal.example.com'
    })
    const user = await aUser(production.database)
    const login = await production.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: user.email, password }
    })
    t.match(login.headers['set-cookie'], [
      /^__Host-portal_session=[\w.-]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      /^__Host-portal_device=[\w.-]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Strict$/
    ])
    t.match(login.headers['strict-transport-security'], 'max-age=63072000')
    const cookie = cookieOf(login)
    t.equal((await production.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 200)
    t.equal(
      (
        await production.inject({
          url: '/api/auth/me',
          headers: { cookie: cookie.replace('__Host-', '') }
        })
      ).statusCode,
      401
    )
  }
)
