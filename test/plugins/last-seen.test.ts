// Also on PGlite.

import { mock } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../db/schema/sessions.ts'
import { buildApp } from '../../src/app.ts'
import { flushInterval } from '../../src/domain/sessions/last-seen.ts'
import { aUser, signedIn, testDatabase, until } from '../support/app.ts'
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
