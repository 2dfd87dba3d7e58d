// Also on PGlite.

import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../../db/schema/activity.ts'
import { jobs } from '../../../../db/schema/jobs.ts'
import { confirmationMails, outbox } from '../../../../db/schema/outbox.ts'
import { recordAll } from '../../../../src/domain/activity/record.ts'
import { enqueueMail } from '../../../../src/domain/outbox/enqueue.ts'
import { revokeSession } from '../../../../src/domain/sessions/revocation.ts'
import { version } from '../../../../src/version.ts'
import { aCaller, anonymous, aUser, onPglite, operator, ownApp } from '../../../support/app.ts'

const app = await ownApp(t)
const { call } = await aCaller(app, 'admin')
const overview = async () => (await call('GET', '/api/admin/overview')).json()

t.test('the overview shows readiness, version, database, users and live sessions', async (t) => {
  const before = await overview()
  t.match(before, {
    version,
    ready: true,
    reason: null,
    database: { engine: onPglite ? 'pglite' : 'postgresql' },
    users: { approximate: false },
    liveSessions: { approximate: false }
  })
  t.ok(before.database.version >= 15)
  t.equal(before.database.label, app.database.label)
  t.notMatch(before.database.label, /@/, 'without credentials')

  await aUser(app.database)
  const other = await aCaller(app)
  const after = await overview()
  t.equal(after.users.count, before.users.count + 2)
  t.equal(after.liveSessions.count, before.liveSessions.count + 1)
  const { session } = (await other.call('GET', '/api/auth/me')).json()
  await revokeSession(app.db, operator, { id: session.id })
  t.equal((await overview()).liveSessions.count, before.liveSessions.count)
})

t.test('large tables are estimated', async (t) => {
  const app = await ownApp(t)
  const { call } = await aCaller(app, 'admin')
  // Pretends that each page of the table has a million users.
  await app.db.execute(
    sql`update pg_class set reltuples = 1000000, relpages = 1 where oid = 'users'::regclass`
  )
  const { users, liveSessions } = (await call('GET', '/api/admin/overview')).json()
  t.equal(users.approximate, true)
  t.ok(users.count >= 1_000_000, `${users.count}`)
  t.same(liveSessions, { count: 1, approximate: false })

  await app.db.execute(
    sql`update pg_class set reltuples = 1000000, relpages = 1 where oid = 'sessions'::regclass`
  )
  const estimated = (await call('GET', '/api/admin/overview')).json().liveSessions
  t.equal(estimated.approximate, true)
  t.ok(estimated.count < 1_000_000, `${estimated.count}: without those that have ended`)
})

t.test('the overview shows the mail that waits, its age, and the mail that is dead', async (t) => {
  const { mail } = app.context
  if (!mail) throw new Error('no mail can be written')
  t.same((await overview()).outbox, { pending: 0, oldestSeconds: 0, dead: 0 })
  const write = (changes: Partial<typeof outbox.$inferInsert>) =>
    app.db.transaction(async (tx) => {
      const content = { kind: 'already-registered' } as const
      const id = await enqueueMail(tx, mail, { to: 'ada@example.com', reader: {}, content }, {})
      await tx.update(outbox).set(changes).where(eq(outbox.id, id))
    })
  const past = new Date(Date.now() - 3_600_000)
  const nextAt = new Date(Date.now() + 3_600_000)
  await write({ createdAt: past, nextAt })
  await write({ nextAt })
  await write({ state: 'dead', doneAt: past })
  const { pending, oldestSeconds, dead } = (await overview()).outbox
  t.same([pending, dead], [2, 1])
  t.ok(oldestSeconds >= 3590 && oldestSeconds < 7200, `${oldestSeconds}`)
})

t.test(
  'the overview counts accounts with too many attempts, and clean-up jobs that are late',
  async (t) => {
    const app = await ownApp(t)
    const { call, user } = await aCaller(app, 'admin')
    const counts = async () => {
      const { limitedAccounts, lateJobs } = (await call('GET', '/api/admin/overview')).json()
      return [limitedAccounts, lateJobs]
    }
    t.same(await counts(), [0, 0])
    const other = await aUser(app.database)
    const refused = (userId?: string) => ({
      outcome: 'failure' as const,
      reason: 'rate-limited',
      ...(userId && { userId }),
      details: { limit: 'login' as const }
    })
    await recordAll(app.db, anonymous, 'throttle.limited', [
      refused(user.id),
      refused(user.id),
      refused(other.id),
      refused()
    ])
    await app.db
      .insert(jobs)
      .values({ name: 'delete old activity', beganAt: sql`now() - interval '2 days'` })
      .onConflictDoUpdate({ target: jobs.name, set: { beganAt: sql`now() - interval '2 days'` } })
    t.same(await counts(), [2, 1])
    await app.db
      .update(activity)
      .set({ at: sql`now() - interval '2 days'` })
      .where(eq(activity.targetId, other.id))
    t.same(await counts(), [1, 1])
  }
)

t.test('the overview says why an instance is not ready', async (t) => {
  const app = await ownApp(t)
  const { call } = await aCaller(app, 'admin')
  app.readiness.drain()
  t.match((await call('GET', '/api/admin/overview')).json(), { ready: false, reason: 'draining' })
})

t.test('the overview counts mails that ask to confirm an address', async (t) => {
  await app.db.delete(confirmationMails)
  t.match((await overview()).signUps, { sentInHour: 0, recent: 0, suspicious: false })
  const mails = Array.from({ length: 20 }, () => ({ id: randomUUID() }))
  await app.db.insert(confirmationMails).values(mails)
  t.match((await overview()).signUps, { sentInHour: 20, confirmed: 0, suspicious: true })
  await app.db.update(confirmationMails).set({ confirmedAt: sql`now()` })
  t.match((await overview()).signUps, { recent: 20, confirmed: 20, suspicious: false })
})
