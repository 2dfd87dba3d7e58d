import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../../db/schema/sessions.ts'
import {
  revokeOtherSessions,
  revokeOwnSession,
  revokeSession,
  revokeUserSessions,
  signOut
} from '../../../src/domain/sessions/revocation.ts'
import { actorOf } from '../../support/actors.ts'
import { anonymous, aUser, onPglite, operator, testDatabase, until } from '../../support/app.ts'
import { waitingForLocks } from '../../support/locks.ts'

const database = await testDatabase(t)
const { db } = database

/** A user with two sessions; the first was last used two days ago. */
async function twoSessions() {
  const user = await aUser(database)
  const [idle, current] = [await actorOf(database, user), await actorOf(database, user)]
  const id = idle.sessionId ?? ''
  await db
    .update(sessions)
    .set({ lastSeenAt: sql`now() - interval '2 days'` })
    .where(eq(sessions.id, id))
  return {
    user,
    id,
    self: current
  }
}
const reason = async (id: string) =>
  (await db.select().from(sessions).where(eq(sessions.id, id)))[0]?.revokeReason

// Another instance, or this one with another configuration, may still accept it.
for (const [what, revoke] of [
  ['an operator who ends it', ({ id }) => revokeSession(db, operator, { id })],
  [
    'an operator who ends all sessions of its user',
    ({ user }) => revokeUserSessions(db, operator, { userId: user.id })
  ],
  ['its user who ends it', ({ id, self }) => revokeOwnSession(db, self, { id })],
  ['its user who ends all other sessions', ({ self }) => revokeOtherSessions(db, self)]
] as [string, (sessions: Awaited<ReturnType<typeof twoSessions>>) => Promise<void>][]) {
  t.test(`a session that seems to have idled out is ended by ${what}`, async (t) => {
    const found = await twoSessions()
    await revoke(found)
    t.equal(await reason(found.id), 'revoked')
  })
}

t.test('a session that has been revoked ends no other session', async (t) => {
  const { user, id, self } = await twoSessions()
  const thief = await actorOf(database, user)
  await revokeOtherSessions(db, self)
  const refusal = { code: 'unauthenticated' }
  await t.rejects(revokeOtherSessions(db, thief), refusal)
  await t.rejects(revokeOwnSession(db, thief, { id: self.sessionId ?? '' }), refusal)
  t.same([await reason(id), await reason(self.sessionId ?? '')], ['revoked', null])
})

t.test('of two sessions that revoke each other at once, one succeeds', async (t) => {
  for (let round = 0; round < 10; round++) {
    const user = await aUser(database)
    const both = [await actorOf(database, user), await actorOf(database, user)]
    const results = await Promise.allSettled(both.map((actor) => revokeOtherSessions(db, actor)))
    t.same(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const reasons = await Promise.all(both.map(({ sessionId }) => reason(sessionId ?? '')))
    t.same(reasons.toSorted(), [null, 'revoked'])
  }
})

t.test('a session past its absolute lifetime is not found', async (t) => {
  const { id, self } = await twoSessions()
  await db
    .update(sessions)
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where(eq(sessions.id, id))
  await t.rejects(revokeSession(db, operator, { id }), { code: 'session-not-found' })
  await t.rejects(revokeOwnSession(db, self, { id }), { code: 'session-not-found' })
  t.equal(await reason(id), null)
})

t.test(
  'an end that is acknowledged again locks the session, so that COMMIT waits for a standby',
  { skip: onPglite && 'it has one connection' },
  async (t) => {
    const { id, self } = await twoSessions()
    await revokeOtherSessions(db, self)
    const [row] = await db.select().from(sessions).where(eq(sessions.id, id))
    const tokenHash = Buffer.from(row?.tokenHash ?? []).toString('hex')
    const tokens = [{ userId: self.id, tokenHash }]
    for (const end of [
      () => revokeOtherSessions(db, self),
      () => signOut(db, anonymous, { tokens })
    ]) {
      let ending: Promise<void> | undefined
      await db.transaction(async (tx) => {
        await tx.select().from(sessions).where(eq(sessions.id, id)).for('no key update')
        ending = end()
        await until(async () => (await waitingForLocks(db)) > 0)
      })
      await ending
      t.pass('waited for the lock')
    }
  }
)
