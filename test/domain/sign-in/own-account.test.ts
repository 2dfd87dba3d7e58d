import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { budgetsOf } from '../../../src/config/budget-variables.ts'
import { grantRole } from '../../../src/domain/access/memberships.ts'
import { changePassword, deleteOwnAccount } from '../../../src/domain/accounts/credentials.ts'
import { createBuckets } from '../../../src/domain/throttling/buckets.ts'
import { nextCredentials } from '../../../src/domain/users/users.ts'
import { actorOf } from '../../support/actors.ts'
import {
  anonymous,
  aUser,
  operator,
  password,
  passwordsOf,
  servicesOf,
  testDatabase
} from '../../support/app.ts'
import { signIn } from '../../support/sign-in.ts'
import { withoutSlack } from '../../support/slack.ts'
import { budgets } from '../../support/test-config.ts'

const database = await testDatabase(t)
const { db } = database
const context = servicesOf(database)
const hashOf = async (id: string) =>
  (await db.select().from(users).where(eq(users.id, id)))[0]?.passwordHash

/** Passwords whose new hashes are ready only after the time of a request has run out. */
function tooSlow(t: Test, cost = 4) {
  withoutSlack(t)
  const passwords = passwordsOf(cost)
  const now = performance.now.bind(performance)
  return {
    ...passwords,
    async hash(...args: Parameters<typeof passwords.hash>) {
      const hash = await passwords.hash(...args)
      t.intercept(performance, 'now', { value: () => now() + 13_000, configurable: true })
      return hash
    }
  }
}

t.test('a password does not change when its hash is ready too late for the response', async (t) => {
  const user = await aUser(database)
  const actor = await actorOf(database, user)
  const before = await hashOf(user.id)
  const change = { currentPassword: password, newPassword: 'a new horse battery' }
  await t.rejects(changePassword({ ...context, passwords: tooSlow(t) }, actor, change), {
    code: 'overloaded'
  })
  t.equal(await hashOf(user.id), before)
})

t.test('a sign-in for which the renewal of the hash comes too late succeeds', async (t) => {
  const user = await aUser(database)
  const before = await hashOf(user.id)
  const passwords = tooSlow(t, 5)
  const input = { email: user.email, password, presented: [] }
  t.match(await signIn({ ...context, passwords }, anonymous, input), { session: { id: String } })
  t.equal(await hashOf(user.id), before, 'the next one renews it')
})

const threeAttempts = createBuckets(
  Buffer.alloc(32, 1),
  budgetsOf({ ...budgets, THROTTLE_PASSWORD: { burst: 3, seconds: 6000 } })
)

t.test('a refusal after the right password does not count as a failed attempt', async (t) => {
  const user = await aUser(database)
  await grantRole(db, operator, { userId: user.id, role: 'admin' })
  const actor = await actorOf(database, user)
  const remove = (currentPassword: string) =>
    deleteOwnAccount({ ...context, buckets: threeAttempts }, actor, { currentPassword })
  for (let i = 0; i < 5; i++) await t.rejects(remove(password), { code: 'last-admin' })
  for (let i = 0; i < 3; i++) await t.rejects(remove('wrong'), { code: 'wrong-password' })
  await t.rejects(remove(password), { code: 'rate-limited' })
})

t.test('a password that is replaced while it is compared counts as a failed attempt', async (t) => {
  const user = await aUser(database)
  const actor = await actorOf(database, user)
  const compared = passwordsOf(4)
  const passwords = {
    ...compared,
    async verify(...args: Parameters<typeof compared.verify>) {
      const isRight = await compared.verify(...args)
      await db.update(users).set(nextCredentials).where(eq(users.id, user.id))
      return isRight
    }
  }
  const remove = () =>
    deleteOwnAccount({ ...context, passwords, buckets: threeAttempts }, actor, {
      currentPassword: password
    })
  for (let i = 0; i < 3; i++) await t.rejects(remove(), { code: 'wrong-password' })
  await t.rejects(remove(), { code: 'rate-limited' })
})

t.test('a session that has been idle for too long by now changes nothing', async (t) => {
  const user = await aUser(database)
  const actor = await actorOf(database, user)
  const { idleSeconds } = context.sessionRules
  await db
    .update(sessions)
    .set({ lastSeenAt: sql`now() - make_interval(secs => ${idleSeconds + 1})` })
    .where(eq(sessions.id, actor.sessionId))
  const before = await hashOf(user.id)
  const change = { currentPassword: password, newPassword: 'a new horse battery' }
  await t.rejects(changePassword(context, actor, change), { code: 'unauthenticated' })
  t.equal(await hashOf(user.id), before)
})
