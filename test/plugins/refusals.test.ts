import { mock } from 'node:test'
import t from 'tap'
import { and, desc, eq, sql } from 'drizzle-orm'
import { openDatabase } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import { activity } from '../../db/schema/activity.ts'
import { buildApp } from '../../src/app.ts'
import { revokeRole } from '../../src/domain/access/memberships.ts'
import {
  aCaller,
  aRole,
  aUser,
  onPglite,
  operator,
  signedIn,
  ownApp,
  testDatabaseUrl,
  until
} from '../support/app.ts'
import { aFlag } from '../support/flags.ts'
import { testConfig } from '../support/test-config.ts'

const denials = (db: Db, actorId: string) =>
  db
    .select()
    .from(activity)
    .where(and(eq(activity.actorId, actorId), eq(activity.action, 'access.denied')))
    .orderBy(desc(activity.at), desc(activity.id))

t.test('a missing permission is recorded with route and permission', async (t) => {
  const app = await ownApp(t)
  const { call, user } = await aCaller(app)
  await call('GET', '/api/admin/users/0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e')
  t.match(await denials(app.db, user.id), [
    {
      outcome: 'failure',
      reason: 'permission-denied',
      actorType: 'user',
      actorLabel: user.email,
      details: { route: 'GET /api/admin/users/:id', permission: 'users:read' }
    }
  ])
})

t.test('a refusal by the domain is recorded, and a missing session is not', async (t) => {
  const app = await ownApp(t)
  const { call, user } = await aCaller(app, await aRole(app.database, 'users:update'))
  const admin = await aCaller(app, 'admin')
  await call('PUT', `/api/admin/users/${admin.user.id}/password`, {
    password: 'a better horse battery'
  })
  await app.inject('/api/auth/me')
  const [denial] = await denials(app.db, user.id)
  t.equal(denial?.reason, 'exceeds-own-permissions')
  t.same(
    denial?.details,
    { route: 'PUT /api/admin/users/:id/password' },
    'the user has the permission of the route'
  )
  t.equal(
    (await app.db.select().from(activity).where(eq(activity.action, 'access.denied'))).length,
    1
  )
})

t.test('the record names the permission that was missing, not that of the route', async (t) => {
  const app = await ownApp(t)
  const role = await aRole(app.database, 'flags:read')
  const { call, user } = await aCaller(app, role)
  const context = { userId: user.id }
  const evaluate = () => call('POST', '/api/admin/flags/evaluate', { flag: aFlag(), context })
  t.match((await evaluate()).json(), { status: 403, code: 'permission-denied' })
  await revokeRole(app.db, operator, { userId: user.id, role })
  t.match((await evaluate()).json(), { status: 403, code: 'permission-denied' })
  const route = 'POST /api/admin/flags/evaluate'
  t.same(
    (await denials(app.db, user.id)).map(({ details }) => details),
    [
      { route, permission: 'flags:read' },
      { route, permission: 'users:read' }
    ]
  )
})

t.test(
  'an invalid token and a duplicate cookie are recorded, and a token of an ended session is not',
  async (t) => {
    const app = await ownApp(t)
    const { call, cookie } = await aCaller(app)
    const forged = cookie.slice(0, -4) + 'AAAA'
    for (const header of [forged, `${cookie}; ${cookie}`]) {
      t.equal(
        (await app.inject({ url: '/api/auth/me', headers: { cookie: header } })).statusCode,
        401
      )
    }
    await call('POST', '/api/auth/logout')
    t.equal((await call('GET', '/api/auth/me')).statusCode, 401)
    const rows = await app.db
      .select()
      .from(activity)
      .where(eq(activity.action, 'auth.token-rejected'))
      .orderBy(activity.at, activity.id)
    t.match(rows, [
      { reason: 'invalid-token', actorType: 'anonymous', details: { route: 'GET /api/auth/me' } },
      { reason: 'several-cookies' }
    ])
    t.equal(rows.length, 2)
    t.notMatch(JSON.stringify(rows), forged.slice(20, 60))
  }
)

t.test('an invalid token is recorded where a session is optional as well', async (t) => {
  const app = await ownApp(t)
  const { cookie } = await aCaller(app)
  const forged = cookie.slice(0, -4) + 'AAAA'
  for (const header of ['', cookie, forged, forged]) {
    const answer = await app.inject({ url: '/api/auth/session', headers: { cookie: header } })
    t.equal(answer.statusCode, 200)
  }
  const rejected = () =>
    app.db.select().from(activity).where(eq(activity.action, 'auth.token-rejected'))
  await until(async () => (await rejected()).length > 0)
  const rows = await rejected()
  t.equal(rows.length, 1)
  t.match(rows, [{ reason: 'invalid-token', details: { route: 'GET /api/auth/session' } }])
})

t.test('repeated refusals are recorded once a minute', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const app = await ownApp(t)
  const { call, user } = await aCaller(app)
  for (let n = 0; n < 3; n++) await call('GET', '/api/admin/users')
  t.equal((await denials(app.db, user.id)).length, 1)
  mock.timers.tick(60_000)
  await until(async () => (await denials(app.db, user.id)).length === 2)
  t.match((await denials(app.db, user.id))[0]?.details, { count: 2 })
})

t.test('repeated refusals are recorded once, with a count at the end', async (t) => {
  const url = await testDatabaseUrl(t)
  const app = buildApp(testConfig(), { database: await openDatabase(url) })
  await app.ready()
  const user = await aUser(app.database)
  const cookie = await signedIn(app, user.email)
  for (let n = 0; n < 20; n++) await app.inject({ url: '/api/admin/users', headers: { cookie } })
  await app.inject({ url: '/api/admin/roles', headers: { cookie } })
  t.equal((await denials(app.db, user.id)).length, 2, 'one a route')
  await app.close()

  const database = await openDatabase(url)
  t.teardown(() => database.close())
  t.match(
    (await denials(database.db, user.id)).map((row) => row.details),
    [
      { route: 'GET /api/admin/users', count: 19 },
      { route: 'GET /api/admin/roles' },
      { route: 'GET /api/admin/users' }
    ]
  )
})

t.test('refusals of one /64 are grouped and leave room for others', async (t) => {
  const app = await ownApp(t)
  const from = (remoteAddress: string) =>
    app.inject({
      method: 'POST',
      url: '/api/auth/logout',
      remoteAddress,
      headers: { 'sec-fetch-site': 'cross-site' }
    })
  await Promise.all(Array.from({ length: 20 }, (_, n) => from(`2001:db8::${n.toString(16)}`)))
  await from('198.51.100.1')
  const rows = await app.db
    .select({ ip: activity.ip })
    .from(activity)
    .where(eq(activity.action, 'request.cross-site'))
  t.equal(rows.length, 2)
  t.ok(rows.some(({ ip }) => ip === '198.51.100.1'))
})

t.test(
  'a rejected login does not wait for its record, and closing the server does',
  { skip: onPglite && 'one connection only' },
  async (t) => {
    const url = await testDatabaseUrl(t)
    const budget = { burst: 1, seconds: 6000 }
    const app = buildApp(testConfig({ THROTTLE_LOGIN_PAIR: budget }), {
      database: await openDatabase(url)
    })
    await app.ready()
    const { id, email } = await aUser(app.database)
    const login = () =>
      app.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: { email, password: 'not this one' }
      })
    t.equal((await login()).statusCode, 401)
    let closed: Promise<unknown> | undefined
    await app.db.transaction(async (tx) => {
      await tx.execute(sql`lock table activity in exclusive mode`)
      t.equal((await login()).statusCode, 429)
      closed = app.close()
    })
    await closed
    const database = await openDatabase(url)
    t.teardown(() => database.close())
    const records = await database.db
      .select()
      .from(activity)
      .where(eq(activity.action, 'throttle.limited'))
    t.match(records, [{ targetId: id, reason: 'rate-limited' }])
  }
)
