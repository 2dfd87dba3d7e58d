import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { pendingLogins } from '../../db/schema/sessions.ts'
import { throttle } from '../../db/schema/throttle.ts'
import { ownApp, testDatabaseUrl } from '../support/app.ts'
import { mailsOf } from '../support/mails.ts'
import { aPendingLogin, aUserWithApp, verify, wrongOf } from '../support/second-factors.ts'
import { testConfig } from '../support/test-config.ts'

// Whoever guesses codes knows the password: the owner must learn of it. Two instances, one database.

const changes = {
  SECRET_KEYS: testConfig().SECRET_KEYS,
  THROTTLE_SECOND_FACTOR: { burst: 50, seconds: 60 }
}
const url = await testDatabaseUrl(t)
const one = await ownApp(t, changes, await openDatabase(url, { poolMax: 5 }))
const two = await ownApp(t, changes, await openDatabase(url, { poolMax: 5 }))
const { db } = one
const mails = mailsOf(one)

/** A user for whom this many wrong codes in a row were counted, and how to guess on. */
async function afterGuesses(fails: number) {
  const { user, code } = await aUserWithApp(one)
  const [bucket] = one.context.buckets.secondFactor(user.id, undefined)
  await db.insert(throttle).values({ bucket: bucket.key, tat: sql`now()`, fails })
  const wrong = wrongOf(await code())
  const isOfBucket = eq(throttle.bucket, bucket.key)
  return {
    user,
    /** Ends the time until the next attempt. */
    letTimePass: () =>
      db
        .update(throttle)
        .set({ tat: sql`now()` })
        .where(isOfBucket),
    failsNow: async () => (await db.select().from(throttle).where(isOfBucket))[0]?.fails,
    guess: async (login: string, app = one) =>
      (await verify(app, login, { code: wrong })).json().code,
    alarms: async () =>
      (await mails.kindsTo(user.email)).filter((kind) => kind === 'second-factor-guessed').length
  }
}

t.test('an attempt that is not judged cannot take the place of the alarm', async (t) => {
  const { user, guess, letTimePass, failsNow, alarms } = await afterGuesses(18)
  // On its last try, two at once: one is judged, and the other finds that the sign-in has ended.
  const login = await aPendingLogin(db, user)
  await db.update(pendingLogins).set({ tries: 4 }).where(eq(pendingLogins.userId, user.id))
  const answers = await Promise.all([guess(login), guess(login, two)])
  t.same(answers.sort(), ['invalid-code', 'login-expired'])
  t.equal(await failsNow(), 19, 'an attempt that is not judged does not count')
  for (let i = 0; i < 3; i++) {
    await letTimePass()
    t.equal(await guess(await aPendingLogin(db, user)), 'invalid-code')
  }
  t.equal(await alarms(), 1)
})

t.test('the alarm comes after the twentieth failure, however it was counted', async (t) => {
  const { user, guess, alarms } = await afterGuesses(25)
  t.equal(await guess(await aPendingLogin(db, user)), 'invalid-code')
  t.equal(await alarms(), 1)
})

t.test('guesses at two instances at once cause one mail, and the next day another', async (t) => {
  const { user, guess, letTimePass, alarms } = await afterGuesses(17)
  const logins = await Promise.all(Array.from({ length: 6 }, () => aPendingLogin(db, user)))
  const answers = await Promise.all(logins.map((login, i) => guess(login, i % 2 ? one : two)))
  t.ok(answers.filter((code) => code === 'invalid-code').length >= 3, String(answers))
  t.equal(await alarms(), 1)
  await letTimePass()
  await guess(await aPendingLogin(db, user))
  t.equal(await alarms(), 1, 'on the same day')
  await db
    .update(outbox)
    .set({ createdAt: sql`now() - interval '25 hours'` })
    .where(eq(outbox.userId, user.id))
  await letTimePass()
  // The refusal is remembered by the instances for a few seconds.
  const third = await ownApp(t, changes, await openDatabase(url, { poolMax: 2 }))
  t.equal(await guess(await aPendingLogin(db, user), third), 'invalid-code')
  t.equal(await alarms(), 2)
})
