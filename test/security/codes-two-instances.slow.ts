import { eq } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { onPglite, ownApp, testDatabaseUrl } from '../support/app.ts'
import {
  aPendingLogin,
  aUserWithApp,
  codeOf,
  forgetCodes,
  verify
} from '../support/second-factors.ts'
import { testConfig } from '../support/test-config.ts'

// Codes that are sent to two instances at once.

const rounds = 40
const endless = { burst: 900_000, seconds: 0.001 }
const changes = { SECRET_KEYS: testConfig().SECRET_KEYS, THROTTLE_SECOND_FACTOR: endless }
const url = await testDatabaseUrl(t)
const one = await ownApp(t, changes, await openDatabase(url, { poolMax: 3 }))
// PGlite allows one process only, so there it is the same instance.
const two = onPglite ? one : await ownApp(t, changes, await openDatabase(url, { poolMax: 3 }))
const { db } = one

/** Completes two sign-ins of a user at once, one on each instance. */
async function both(user: { id: string }, payload: { code?: string; recoveryCode?: string }) {
  const [first, second] = [await aPendingLogin(db, user), await aPendingLogin(db, user)]
  const answers = await Promise.all([verify(one, first, payload), verify(two, second, payload)])
  return answers.map(({ statusCode }) => statusCode).sort()
}

t.test('of two sign-ins with the same code one succeeds, in each round', async (t) => {
  const { user, secret } = await aUserWithApp(one)
  const before = await db.$count(sessions, eq(sessions.userId, user.id))
  const others = []
  for (let round = 0; round < rounds; round++) {
    await forgetCodes(db, user.id)
    const found = await both(user, { code: await codeOf(db, secret) })
    if (String(found) !== '200,401') others.push({ round, found })
  }
  t.same(others, [])
  t.equal(await db.$count(sessions, eq(sessions.userId, user.id)), before + rounds)
})

t.test('so does one of two sign-ins with the same recovery code', async (t) => {
  const { user, recoveryCodes } = await aUserWithApp(one)
  for (const recoveryCode of recoveryCodes) t.same(await both(user, { recoveryCode }), [200, 401])
})
