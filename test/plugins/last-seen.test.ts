// Also on PGlite.

import { mock } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { sessions } from '../../db/schema/sessions.ts'
import { buildApp } from '../../src/app.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { flushInterval } from '../../src/domain/sessions/principals.ts'
import { aUser, operator, signedIn, testDatabase, until } from '../support/app.ts'
import { testConfig } from '../support/test-config.ts'

t.test(
  'last-seen times are written once a minute, at the latest when the server closes',
  async (t) => {
    mock.timers.enable({ apis: ['setInterval'] })
    t.teardown(() => mock.timers.reset())
    const database = await testDatabase(t)
    const app = buildApp(testConfig(), { database: { ...database, close: async () => {} } })
    const user = await aUser(database)
    const cookie = await signedIn(app, user.email)
    const makeOld = () =>
      database.db
        .update(sessions)
        .set({ lastSeenAt: sql`now() - interval '10 minutes'` })
        .where(eq(sessions.userId, user.id))
    const isFresh = async () =>
      (
        await database.db
          .select({ fresh: sql<boolean>`${sessions.lastSeenAt} > now() - interval '5 minutes'` })
          .from(sessions)
          .where(eq(sessions.userId, user.id))
      )[0]?.fresh

    for (const write of [async () => mock.timers.tick(flushInterval), () => app.close()]) {
      await makeOld()
      t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 200)
      t.equal(await isFresh(), false, 'not on the request path')
      await write()
      await until(async () => (await isFresh()) === true)
      t.equal(await isFresh(), true)
    }
  }
)

t.test('a page that polls metrics does not use its session', async (t) => {
  const database = await testDatabase(t)
  const config = testConfig()
  /** Calls an instance, which writes when sessions were seen before it ends. */
  const atInstance = async <T>(call: (app: FastifyInstance) => Promise<T>) => {
    const app = buildApp(config, { database: { ...database, close: async () => {} } })
    const result = await call(app)
    await app.close()
    return result
  }
  const user = await aUser(database)
  await grantRole(database.db, operator, { userId: user.id, role: 'admin' })
  const cookie = await atInstance((app) => signedIn(app, user.email))
  await database.db.update(sessions).set({ lastSeenAt: sql`now() - interval '10 minutes'` })
  const lastSeen = async () => Number((await database.db.select().from(sessions))[0]?.lastSeenAt)
  const read = async (url: string) => {
    const response = await atInstance((app) => app.inject({ url, headers: { cookie } }))
    t.equal(response.statusCode, 200)
  }

  const before = await lastSeen()
  await read('/api/admin/metrics')
  t.equal(await lastSeen(), before)
  await read('/api/admin/overview')
  t.ok((await lastSeen()) > before, 'any other request is a use')
})
