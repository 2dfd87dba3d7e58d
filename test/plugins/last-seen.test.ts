import t from 'tap'
import { eq, sql } from 'drizzle-orm'
import { sessions } from '../../db/schema/sessions.ts'
import { buildApp } from '../../src/app.ts'
import { aUser, signedIn, testConfig, testDatabase } from '../helpers.ts'

t.test(
  'last-seen times are written in batches, at the latest when the server closes',
  async (t) => {
    const database = await testDatabase(t)
    const app = buildApp(testConfig(), { database: { ...database, close: async () => {} } })
    const user = await aUser(database)
    const cookie = await signedIn(app, user.email)
    await database.db
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

    t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 200)
    t.equal(await isFresh(), false, 'not on the request path')
    await app.close()
    t.equal(await isFresh(), true)
  }
)
