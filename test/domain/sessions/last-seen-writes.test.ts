import { and, eq, lt, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import t from 'tap'
import { sessions } from '../../../db/schema/sessions.ts'
import { sha256 } from '../../../src/domain/crypto.ts'
import { updateLastSeen, writeLastSeen } from '../../../src/domain/sessions/last-seen.ts'
import {
  anonymous,
  aUser,
  servicesOf,
  onPglite,
  password,
  testDatabase
} from '../../support/app.ts'
import { signIn } from '../../support/sign-in.ts'
import { rules } from '../../support/test-config.ts'
import { serverIsolation } from '../../support/test-server.ts'

const database = await testDatabase(t)
const { db } = database

async function aSession(changes: object) {
  const user = await aUser(database)
  const { session } = await signIn(servicesOf(database), anonymous, {
    email: user.email,
    password,
    presented: []
  })
  await db.update(sessions).set(changes).where(eq(sessions.id, session.id))
  return session.id
}
const lastSeen = async (id: string) =>
  (
    await db.select({ at: sessions.lastSeenAt }).from(sessions).where(eq(sessions.id, id))
  )[0]?.at.getTime()
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

t.test('last-seen is written for many sessions in one statement', async (t) => {
  const ids = [
    await aSession({ lastSeenAt: minutesAgo(30) }),
    await aSession({ lastSeenAt: minutesAgo(30) })
  ]
  const at = minutesAgo(1)
  await writeLastSeen(
    db,
    ids.map((id) => [id, at] as const),
    rules.idleSeconds
  )
  for (const id of ids) t.equal(await lastSeen(id), at.getTime())
})

t.test('last-seen never decreases', async (t) => {
  const seen = minutesAgo(1)
  const id = await aSession({ lastSeenAt: seen })
  await writeLastSeen(db, [[id, minutesAgo(5)]], rules.idleSeconds)
  t.equal(await lastSeen(id), seen.getTime())
})

t.test(
  'last-seen is not written to sessions that were revoked, or idle for too long when seen',
  async (t) => {
    const before = minutesAgo(24 * 60 + 10)
    const revoked = await aSession({
      lastSeenAt: before,
      revokedAt: sql`now()`,
      revokeReason: 'revoked'
    })
    const idle = await aSession({ lastSeenAt: before })
    await writeLastSeen(
      db,
      [
        [revoked, minutesAgo(24 * 60)],
        [idle, new Date()]
      ],
      rules.idleSeconds
    )
    t.equal(await lastSeen(revoked), before.getTime())
    t.equal(await lastSeen(idle), before.getTime())
  }
)

t.test('the later of two times of a session in a batch is written', async (t) => {
  const [first, second] = [minutesAgo(2), minutesAgo(1)]
  for (const times of [
    [first, second],
    [second, first]
  ]) {
    const id = await aSession({ lastSeenAt: minutesAgo(30) })
    await writeLastSeen(
      db,
      times.map((at) => [id, at] as const),
      rules.idleSeconds
    )
    t.equal(await lastSeen(id), second.getTime())
  }
})

if (!onPglite && !serverIsolation) {
  t.test(
    'two instances can write the same thousand sessions in any order without a deadlock',
    async (t) => {
      const { id: userId } = await aUser(database)
      const ids = Array.from({ length: 1000 }, () => uuid())
      await db.insert(sessions).values(
        ids.map((id) => ({
          id,
          userId,
          tokenHash: sha256(id),
          expiresAt: sql`now() + interval '1 day'`,
          lastSeenAt: minutesAgo(60)
        }))
      )
      const orders = [ids, ids.toReversed()]
      for (let round = 0; round < 4; round++) {
        // In a transaction without retries, which would hide a deadlock.
        await Promise.all(
          orders.map((order) =>
            db.transaction((tx) =>
              updateLastSeen(
                tx,
                order.map((id) => [id, minutesAgo(50 - round)] as const),
                rules.idleSeconds
              )
            )
          )
        )
      }
      const left = await db.$count(
        sessions,
        and(eq(sessions.userId, userId), lt(sessions.lastSeenAt, minutesAgo(48)))
      )
      t.equal(left, 0, 'all of them were written')
    }
  )
}
