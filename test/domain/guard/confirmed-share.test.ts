import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { confirmationMails, outbox } from '../../../db/schema/outbox.ts'
import { throttle } from '../../../db/schema/throttle.ts'
import { noteConfirmed, readConfirmations } from '../../../src/domain/guard/confirmed-share.ts'
import { createBuckets } from '../../../src/domain/throttling/buckets.ts'
import { charge } from '../../../src/domain/throttling/throttles.ts'
import { aUser, testDatabase, until } from '../../support/app.ts'
import { everyLimit } from '../../support/rate-limits.ts'
import { enqueueMail, secret, startWorker } from '../outbox/parts.ts'

const { db } = await testDatabase(t)
t.beforeEach(async () => {
  await db.delete(outbox)
  await db.delete(confirmationMails)
  await db.delete(throttle)
})
const buckets = createBuckets(secret, everyLimit({ burst: 9, seconds: 100 }))
const sendMany = (count: number, confirmedAt: Date | null = null) =>
  db
    .insert(confirmationMails)
    .values(Array.from({ length: count }, () => ({ id: randomUUID(), confirmedAt })))

t.test('fewer than thirty of the last hundred mails are a low share', async (t) => {
  t.match(await readConfirmations(db), { sent: 0, confirmed: 0, isLow: false })
  await sendMany(70)
  t.match(await readConfirmations(db), { sent: 70, confirmed: 0, isLow: false }, 'of a new portal')
  await sendMany(1)
  t.match(await readConfirmations(db), { sent: 71, isLow: true })
  await db.update(confirmationMails).set({ sentAt: sql`now() - interval '1 hour'` })
  await sendMany(30, new Date())
  t.match(await readConfirmations(db), { sent: 100, confirmed: 30, isLow: false })
  await sendMany(1)
  t.match(
    await readConfirmations(db),
    { sent: 100, confirmed: 30, isLow: false },
    'an older one goes'
  )
})

t.test('a confirmation counts within a day, and makes room for another call', async (t) => {
  const { id: userId } = await aUser({ db })
  const id = await enqueueMail(db, { kind: 'email-verify', userId })
  const registrationId = randomUUID()
  await db.insert(confirmationMails).values([{ id }, { id: registrationId }])
  const unproved = buckets.ofAll('mail-unproved')
  for (let i = 0; i < 2; i++) await charge(db, [unproved])
  const left = async () => {
    const [row] = await db
      .select({ left: sql<number>`extract(epoch from ${throttle.tat} - now())::float8` })
      .from(throttle)
    return Math.round((row?.left ?? 0) / 100)
  }
  t.equal(await left(), 2)
  await db.transaction((tx) => noteConfirmed(tx, buckets, userId))
  await db.transaction((tx) => noteConfirmed(tx, buckets, userId))
  t.equal(await left(), 1, 'once')
  await db
    .update(confirmationMails)
    .set({ sentAt: sql`now() - interval '25 hours'` })
    .where(eq(confirmationMails.id, registrationId))
  await db.transaction((tx) => noteConfirmed(tx, buckets, registrationId))
  t.match(await readConfirmations(db), { sent: 2, confirmed: 1 }, 'a day later it does not')
  t.equal(await left(), 1)
})

t.test('while the share is low, mail that strangers cause goes out at a lower rate', async (t) => {
  await sendMany(71)
  const limits = {
    ...everyLimit({ burst: 999, seconds: 1 }),
    'mail-unconfirmed': { burst: 1, seconds: 9999 }
  }
  const sent: string[] = []
  for (let i = 0; i < 3; i++) await enqueueMail(db, { kind: 'confirm' })
  const other = await enqueueMail(db, { kind: 'new-device' })
  const { worker } = startWorker(t, {
    db,
    buckets: createBuckets(secret, limits),
    send: async ({ id }) => {
      sent.push(id)
      return { outcome: 'sent' }
    }
  })
  await until(() => sent.length === 2 && worker.totals.limited > 0)
  t.ok(sent.includes(other), 'other mail has no such limit')
  t.equal((await readConfirmations(db)).sent, 72, 'what waits is not counted')
  await db.update(confirmationMails).set({ confirmedAt: sql`now()` })
  await db.delete(throttle)
  t.match(await readConfirmations(db), { isLow: false })
})
