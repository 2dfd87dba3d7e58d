import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { outbox } from '../../../db/schema/outbox.ts'
import { transaction } from '../../../db/transaction.ts'
import { claim, leaseSeconds } from '../../../src/domain/outbox/claim.ts'
import { replacePayload, completeDelivery } from '../../../src/domain/outbox/complete-delivery.ts'
import { LeaseLost, releaseRows } from '../../../src/domain/outbox/leases.ts'
import { activityOf, onPglite, testDatabase } from '../../support/app.ts'
import { aMail, change, enqueueMail, makeDue, rowOf, sealing } from './parts.ts'

const database = await testDatabase(t)
const { db } = database
t.beforeEach(async () => {
  await db.delete(outbox)
})

/** The only row that is due, claimed. */
async function claimOne() {
  const [row, ...more] = await claim(db, 10)
  if (!row || more.length > 0) throw new Error('not exactly one row is due')
  return row
}

t.test('a claim leases due mail, the longest waiting first', async (t) => {
  const ids = []
  for (let i = 0; i < 4; i++) ids.push(await enqueueMail(db))
  const [late = '', later = '', first = '', future = ''] = ids
  await change(db, first, { nextAt: sql`now() - interval '3 minutes'` })
  await change(db, late, { nextAt: sql`now() - interval '2 minutes'` })
  await change(db, later, { nextAt: sql`now() - interval '1 minute'` })
  await change(db, future, { nextAt: sql`now() + interval '1 minute'` })
  const claimed = await claim(db, 2)
  t.same(claimed.map(({ id }) => id).toSorted(), [first, late].toSorted())
  t.match(await claim(db, 2), [{ id: later }])
  t.same(await claim(db, 2), [])
  const { due, lease, attempts } = await rowOf(db, first)
  t.ok(due > leaseSeconds - 30 && due <= leaseSeconds, 'others wait for the lease')
  t.match({ lease, attempts }, { lease: String, attempts: 1 })
})

t.test('an outbox with nothing due is read without a transaction', async (t) => {
  await change(db, await enqueueMail(db), { nextAt: sql`now() + interval '1 minute'` })
  const transactions = t.capture(db, 'transaction', db.transaction)
  t.same(await claim(db, 10), [])
  t.equal(transactions().length, 0)
})

t.test('of workers that claim at once no two get the same row', async (t) => {
  const ids = await Promise.all(Array.from({ length: 60 }, () => enqueueMail(db)))
  const batches = await Promise.all(Array.from({ length: 12 }, () => claim(db, 10)))
  t.ok(batches.every(({ length }) => length <= 10))
  const claimed = batches.flat().map(({ id }) => id)
  t.equal(new Set(claimed).size, claimed.length)
  for (let batch = await claim(db, 10); batch.length > 0; batch = await claim(db, 10)) {
    claimed.push(...batch.map(({ id }) => id))
  }
  t.same(claimed.toSorted(), ids.toSorted(), 'and all are claimed once')
})

t.test('a locked row is skipped, not waited for', { skip: onPglite }, async (t) => {
  const locked = await enqueueMail(db)
  const free = await enqueueMail(db)
  await db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from outbox where id = ${locked} for update`)
    t.match(await claim(db, 10), [{ id: free }])
  })
  t.match(await claim(db, 10), [{ id: locked }])
})

t.test('mail that strangers cause goes out last', async (t) => {
  const recovery = await enqueueMail(db)
  const notice = await enqueueMail(db, { kind: 'password-changed' })
  const invitation = await enqueueMail(db, { kind: 'invitation' })
  await change(db, recovery, { nextAt: sql`now() - interval '1 hour'` })
  t.same((await claim(db, 2)).map(({ id }) => id).toSorted(), [notice, invitation].toSorted())
  t.same(await claim(db, 2, { strangers: 0 }), [], 'and waits if there is no room for it')
  await enqueueMail(db)
  t.match(await claim(db, 2, { strangers: 1 }), [{ id: recovery }])
})

t.test('a kind that only a newer version knows is left to its instances', async (t) => {
  const id = await enqueueMail(db)
  await change(db, id, { kind: sql`'from-the-future'` })
  t.same(await claim(db, 10), [])
  await change(db, id, { expiresAt: sql`now() - interval '1 second'` })
  t.match(await claim(db, 10), [{ id, expired: true }], 'until it has expired')
})

t.test('a mail that a dead worker had is claimed alone, by an idle instance', async (t) => {
  const [first, second, third] = [
    await enqueueMail(db),
    await enqueueMail(db),
    await enqueueMail(db)
  ]
  t.equal((await claim(db, 2)).length, 2)
  for (const id of [first, second]) await change(db, id, { nextAt: sql`now() - interval '1 hour'` })
  t.same(await claim(db, 10, { isIdle: false }), [], 'the others wait for an idle one as well')
  const alone = await claim(db, 10)
  t.match(alone, [{ abandoned: 1 }])
  await change(db, third, { nextAt: sql`now() - interval '2 hours'` })
  t.match(await claim(db, 10), [{ id: third, abandoned: 0 }], 'not together with others')
  t.match(await claim(db, 10), [{ abandoned: 1 }])
})

t.test('a worker whose lease has gone to another one changes nothing', async (t) => {
  const userId = randomUUID()
  const id = await enqueueMail(db, { userId })
  const slow = await claimOne()
  await makeDue(db, id)
  const taken = await claimOne()
  t.not(taken.lease, slow.lease)
  const before = await rowOf(db, id)
  for (const outcome of [
    { outcome: 'sent' },
    { outcome: 'dropped' },
    { outcome: 'final', error: 'smtp 550' },
    { outcome: 'temporary', error: 'timeout' },
    { outcome: 'expired' }
  ] as const) {
    await t.rejects(completeDelivery(db, slow, outcome), LeaseLost, outcome.outcome)
  }
  await releaseRows(db, outbox, [slow])
  await t.rejects(
    transaction(db, (tx) =>
      replacePayload(tx, sealing, slow, { payload: aMail('eve@example.com') })
    ),
    LeaseLost
  )
  t.match({ ...(await rowOf(db, id)), due: 0 }, { ...before, due: 0 })
  t.same(await activityOf(database, userId), [])
  t.equal(await completeDelivery(db, taken, { outcome: 'sent' }), 'sent')
  await t.rejects(completeDelivery(db, taken, { outcome: 'sent' }), LeaseLost, 'and only once')
})

t.test('a lease that is given back is free at once', async (t) => {
  const id = await enqueueMail(db)
  const row = await claimOne()
  await releaseRows(db, outbox, [row])
  t.match(await rowOf(db, id), { lease: null, state: 'pending', attempts: 0 })
  t.match(await claimOne(), { id, abandoned: 0 })
})

t.test('a claim says how many deliveries in a row were abandoned', async (t) => {
  const id = await enqueueMail(db)
  await completeDelivery(db, await claimOne(), { outcome: 'temporary', error: 'smtp 451' })
  for (const abandoned of [0, 1, 2]) {
    await makeDue(db, id)
    t.match(await claimOne(), { attempts: 2 + abandoned, abandoned })
  }
  t.equal((await rowOf(db, id)).lastError, 'abandoned 2')
  await makeDue(db, id)
  await releaseRows(db, outbox, [await claimOne()])
  t.match(await claimOne(), { attempts: 5, abandoned: 0 })
  t.equal((await rowOf(db, id)).lastError, null)
})
