import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../../db/schema/sessions.ts'
import { createLastSeen } from '../../../src/domain/sessions/last-seen.ts'
import type { Principal } from '../../../src/domain/sessions/principals.ts'
import { anonymous, aUser, password, servicesOf, testDatabase } from '../../support/app.ts'
import { signIn } from '../../support/sign-in.ts'
import { rules } from '../../support/test-config.ts'

const minute = 60_000

/** A session that was last seen `minutes` ago, as cached by an instance. */
async function aSession(minutes: number) {
  const database = await testDatabase(t)
  const { db } = database
  const { email } = await aUser(database)
  const { user, session } = await signIn(servicesOf(database), anonymous, {
    email,
    password,
    presented: []
  })
  const lastSeen = Date.now() - minutes * minute
  await db.update(sessions).set({ lastSeenAt: new Date(lastSeen) })
  const principal = {
    user,
    session: { id: session.id, userId: user.id },
    lastSeen,
    lastSeenWritten: lastSeen
  } as unknown as Principal
  const written = async () => {
    const [row] = await db
      .select({ at: sessions.lastSeenAt })
      .from(sessions)
      .where(eq(sessions.id, session.id))
    return row?.at.getTime()
  }
  return { db, principal, lastSeen, written }
}
const failed = (error: unknown) => {
  throw error
}

t.test('the latest time of a session is stored with the next flush', async (t) => {
  const { db, principal, lastSeen, written } = await aSession(30)
  const { mark, flush } = createLastSeen(db, rules.idleSeconds, failed)
  const now = Date.now()
  t.equal(mark(principal, now), undefined, 'no caller waits for it')
  t.equal(mark(principal, now - minute), undefined)
  t.equal(principal.lastSeen, now, 'an earlier time does not count')
  t.equal(await written(), lastSeen)
  await flush()
  t.equal(await written(), now)
  t.equal(principal.lastSeenWritten, now)
})

t.test('a time that would be too late with the next flush is stored at once', async (t) => {
  const idleSeconds = 600
  const { db, principal, lastSeen, written } = await aSession(8)
  const { mark } = createLastSeen(db, idleSeconds, failed)
  t.equal(mark(principal, lastSeen + 8 * minute), undefined)
  const now = lastSeen + 8 * minute + 1
  await mark(principal, now)
  t.equal(await written(), now)
  t.equal(mark(principal, now), undefined)
})

t.test('a batch that cannot be stored is reported and retried', async (t) => {
  const { db, principal, lastSeen, written } = await aSession(30)
  const errors: unknown[] = []
  const { mark, flush } = createLastSeen(db, rules.idleSeconds, (error) => errors.push(error))
  const now = Date.now()
  mark(principal, now)
  await db.execute(sql`alter table sessions rename to elsewhere`)
  await flush()
  await db.execute(sql`alter table elsewhere rename to sessions`)
  t.equal(errors.length, 1)
  t.equal(await written(), lastSeen)
  await flush()
  t.equal(await written(), now)
})
