// Also on PGlite.

import { eq } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { permissions, rolePermissions } from '../../db/schema/roles.ts'
import { buildApp } from '../../src/app.ts'
import { onPglite, ownApp, testDatabase, until } from '../support/app.ts'
import { emptyDatabaseUrl } from '../support/empty-database.ts'
import { testConfig } from '../support/test-config.ts'

t.test('health is ok, and draining during shutdown', async (t) => {
  const app = await ownApp(t)
  const ready = await app.inject('/health')
  t.same([ready.statusCode, ready.json()], [200, { status: 'ok' }])
  app.readiness.drain()
  const draining = await app.inject('/health')
  t.same(
    [draining.statusCode, draining.json(), draining.headers['retry-after']],
    [503, { status: 'unavailable', reason: 'draining' }, '1']
  )
  t.equal((await app.inject('/health/live')).statusCode, 200, 'it still lives')
})

t.test(
  'health waits for migrations of an empty database and for missing permissions of this release',
  async (t) => {
    const empty = buildApp(testConfig({ DATABASE_URL: await emptyDatabaseUrl(t) }))
    t.teardown(() => empty.close())
    await empty.ready()
    t.same((await empty.inject('/health')).json(), { status: 'unavailable', reason: 'migrations' })

    const database = await testDatabase(t)
    await database.db
      .delete(rolePermissions)
      .where(eq(rolePermissions.permissionKey, 'activity:read'))
    await database.db.delete(permissions).where(eq(permissions.key, 'activity:read'))
    const behind = await ownApp(t, {}, database)
    t.same((await behind.inject('/health')).json(), { status: 'unavailable', reason: 'migrations' })
  }
)

t.test('health fails when the database is unavailable, and needs no query', async (t) => {
  const app = await ownApp(t)
  await app.database.close()
  t.equal((await app.inject('/health')).statusCode, 200, 'it answers from memory')
  await until(async () => (await app.inject('/health')).statusCode === 503)
  t.same((await app.inject('/health')).json(), { status: 'unavailable', reason: 'database' })
  t.equal((await app.inject('/health/live')).statusCode, 200)
})

if (!onPglite) {
  t.test('a server without its database is not ready, and reports no details', async (t) => {
    const database = await openDatabase('postgres://nobody:secret@127.0.0.1:9/none')
    const app = await ownApp(t, {}, database)
    const response = await app.inject('/health')
    t.same(
      [response.statusCode, response.json()],
      [503, { status: 'unavailable', reason: 'database' }]
    )
    const me = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: 'ada@example.com', password: 'correct horse' }
    })
    t.equal(me.statusCode, 503)
    t.match(me.json(), { code: 'database-unavailable' })
    t.equal(me.headers['retry-after'], '1')
    t.notMatch(me.body, /secret|nobody|127\.0\.0\.1|ECONN/)
  })
}
