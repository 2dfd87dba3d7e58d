import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../db/schema/sessions.ts'
import { writeLastSeen } from '../../src/domain/sessions.ts'
import { signIn } from '../../src/domain/sign-in.ts'
import { anonymous, aUser, partsOf, password, rules, testDatabase } from '../helpers.ts'

const database = await testDatabase(t)
const { db } = database

async function aSession (changes: object) {
  const user = await aUser(database)
  const { session } = await signIn(partsOf(database), anonymous, { email: user.email, password, presented: [] })
  await db.update(sessions).set(changes).where(eq(sessions.id, session.id))
  return session.id
}
const lastSeen = async (id: string) => (await db.select({ at: sessions.lastSeenAt }).from(sessions).where(eq(sessions.id, id)))[0]?.at.getTime()
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

t.test('last-seen is written for many sessions in one statement', async (t) => {
  const ids = [await aSession({ lastSeenAt: minutesAgo(30) }), await aSession({ lastSeenAt: minutesAgo(30) })]
  const at = minutesAgo(1)
  await writeLastSeen(db, ids.map((id) => [id, at] as const), rules.idleSeconds)
  for (const id of ids) t.equal(await lastSeen(id), at.getTime())
})

t.test('last-seen never goes back', async (t) => {
  const seen = minutesAgo(1)
  const id = await aSession({ lastSeenAt: seen })
  await writeLastSeen(db, [[id, minutesAgo(5)]], rules.idleSeconds)
  t.equal(await lastSeen(id), seen.getTime())
})

t.test('last-seen is not written to a revoked session, nor to one that had idled out when it was seen', async (t) => {
  const before = minutesAgo(24 * 60 + 10)
  const revoked = await aSession({ lastSeenAt: before, revokedAt: sql`now()`, revokeReason: 'revoked' })
  const idle = await aSession({ lastSeenAt: before })
  await writeLastSeen(db, [[revoked, minutesAgo(24 * 60)], [idle, new Date()]], rules.idleSeconds)
  t.equal(await lastSeen(revoked), before.getTime())
  t.equal(await lastSeen(idle), before.getTime())
})
