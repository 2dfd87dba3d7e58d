import { and, eq, sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../db/schema/activity.ts'
import { epochs, userScope } from '../../../db/schema/epochs.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { hashSecret } from '../../../src/domain/sessions/sessions.ts'
import { anonymous, aUser, password, passwords, testDatabase } from '../../support/app.ts'
import { loginsOn } from './logins.ts'
import { signIn, tokenHashOf } from '../../support/sign-in.ts'

const database = await testDatabase(t)
const { db } = database
const { services: context, login, live } = loginsOn(database)
const epoch = async (userId: string) =>
  (
    await db
      .select()
      .from(epochs)
      .where(eq(epochs.scope, userScope(userId)))
  )[0]?.value

t.test('the secret of a session is 256 random bits, stored as a hash only', async (t) => {
  const user = await aUser(database)
  const { session, secret } = await login(user.email)
  t.equal(Buffer.from(secret, 'base64url').length, 32)
  const [row] = await db.select().from(sessions).where(eq(sessions.id, session.id))
  t.same(Buffer.from(row?.tokenHash ?? []), Buffer.from(hashSecret(secret)))
  t.not((await login(user.email)).secret, secret)
})

for (const [what, change] of [
  ['whose password changes', { credentialVersion: sql`${users.credentialVersion} + 1` }],
  ['who is deactivated', { status: 'deactivated' as const }]
] as const) {
  t.test(`a user ${what} while the login hashes is not signed in`, async (t) => {
    const user = await aUser(database)
    const meanwhile = {
      ...passwords,
      verify: async (...args: Parameters<typeof passwords.verify>) => {
        const matches = await passwords.verify(...args)
        await db.update(users).set(change).where(eq(users.id, user.id))
        return matches
      }
    }
    await t.rejects(
      signIn({ ...context, passwords: meanwhile }, anonymous, {
        email: user.email,
        password,
        presented: []
      }),
      { code: 'invalid-credentials' }
    )
    t.equal((await live(user.id)).length, 0)
    const [record] = await db
      .select()
      .from(activity)
      .where(and(eq(activity.targetId, user.id), eq(activity.action, 'auth.login')))
    t.match(record, { outcome: 'failure', reason: 'changed-meanwhile' })
  })
}

t.test('beyond the limit the oldest sessions are ended, which is recorded', async (t) => {
  const user = await aUser(database)
  const ids = []
  for (let i = 0; i < 4; i++) ids.push((await login(user.email, { maxPerUser: 2 })).session.id)
  t.same((await live(user.id)).map((row) => row.id).sort(), ids.slice(2).sort())
  const gone = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, user.id), eq(sessions.revokeReason, 'session-limit')))
  t.same(gone.map((row) => row.id).sort(), ids.slice(0, 2).sort())
  const records = await db
    .select()
    .from(activity)
    .where(and(eq(activity.actorId, user.id), eq(activity.action, 'session.limit')))
  t.same(records.map((record) => record.targetId).sort(), ids.slice(0, 2).sort())
})

t.test('the limit holds for concurrent logins', async (t) => {
  const user = await aUser(database)
  await Promise.all(Array.from({ length: 12 }, () => login(user.email, { maxPerUser: 3 })))
  t.equal((await live(user.id)).length, 3)
})

t.test('ended sessions do not count towards the limit', async (t) => {
  const user = await aUser(database)
  const first = await login(user.email)
  await db
    .update(sessions)
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where(eq(sessions.id, first.session.id))
  const second = await login(user.email, { maxPerUser: 2 })
  await login(user.email, { maxPerUser: 2 })
  t.ok((await live(user.id)).some((row) => row.id === second.session.id))
})

t.test('a login bumps the scope of its user only when it ends a session', async (t) => {
  const user = await aUser(database)
  const before = await epoch(user.id)
  const { secret } = await login(user.email)
  const tokenHash = tokenHashOf({ secret })
  t.equal(await epoch(user.id), before)
  await signIn(context, anonymous, {
    email: user.email,
    password,
    presented: [{ userId: user.id, tokenHash }]
  })
  t.not(await epoch(user.id), before)
})
