import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { outbox } from '../../../db/schema/outbox.ts'
import { transaction } from '../../../db/transaction.ts'
import { claim } from '../../../src/domain/outbox/claim.ts'
import { enqueue, openPayload } from '../../../src/domain/outbox/enqueue.ts'
import { replacePayload, completeDelivery } from '../../../src/domain/outbox/complete-delivery.ts'
import { spread } from '../../../src/domain/outbox/leases.ts'
import { activityOf, testDatabase } from '../../support/app.ts'
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

t.test('a mail exists exactly when its change does', async (t) => {
  const mail = { kind: 'recovery', payload: aMail('ada@example.com'), expiresIn: 60 } as const
  await t.rejects(
    transaction(db, async (tx) => {
      await enqueue(tx, sealing, mail)
      throw new Error('the change fails')
    })
  )
  t.same(await claim(db, 10), [])
  const id = await transaction(db, (tx) => enqueue(tx, sealing, mail))
  t.match(await claim(db, 10), [{ id, attempts: 1, expired: false, abandoned: 0 }])
})

t.test('the payload is sealed: neither address nor token is in the table', async (t) => {
  const token = randomUUID()
  const id = await enqueueMail(db, { payload: aMail('ada@example.com', token) })
  const text = JSON.stringify(await db.select({ all: sql`to_jsonb(outbox)` }).from(outbox))
  const { payload } = await rowOf(db, id)
  for (const secret of ['ada@example.com', token]) {
    t.notMatch(text, secret)
    t.notMatch(text, Buffer.from(secret).toString('hex'))
    t.notOk(Buffer.from(payload ?? '').includes(secret))
  }
  t.same(openPayload(sealing, id, payload), aMail('ada@example.com', token))
  t.equal(openPayload(sealing, randomUUID(), payload), undefined, 'in another row')
})

t.test('a row says whom it is for by the first character and the domain only', async (t) => {
  const id = await enqueueMail(db, { payload: aMail('ada.lovelace@example.com') })
  t.equal((await rowOf(db, id)).recipient, 'a…@example.com')
  await completeDelivery(db, await claimOne(), { outcome: 'sent' })
  t.equal((await rowOf(db, id)).recipient, 'a…@example.com')
})

t.test('a request has no recipient until the worker has found one', async (t) => {
  const id = await enqueueMail(db, {
    payload: { request: 'recovery', emailNormalized: 'ada@example.com', origin: {} }
  })
  t.equal((await rowOf(db, id)).recipient, null)
  const row = await claimOne()
  await transaction(db, (tx) =>
    replacePayload(tx, sealing, row, { payload: aMail('ada@example.com') })
  )
  t.equal((await rowOf(db, id)).recipient, 'a…@example.com')
})

t.test('sent and dropped mail keeps no payload, caught mail keeps it', async (t) => {
  for (const result of ['sent', 'dropped', 'caught'] as const) {
    const id = await enqueueMail(db)
    t.equal(await completeDelivery(db, await claimOne(), { outcome: result }), result)
    const row = await rowOf(db, id)
    t.match(row, { state: result, lease: null, doneAt: Date })
    t.equal(row.payload === null, result !== 'caught')
    await makeDue(db, id)
    t.same(await claim(db, 10), [], 'and is not delivered again')
  }
})

t.test('a refusal for good is final: the mail is dead, and that is recorded', async (t) => {
  const userId = randomUUID()
  const id = await enqueueMail(db, { userId })
  t.equal(
    await completeDelivery(db, await claimOne(), { outcome: 'final', error: 'smtp 550' }),
    'dead'
  )
  const row = await rowOf(db, id)
  t.match(row, { state: 'dead', lastError: 'smtp 550', lease: null, doneAt: Date })
  t.ok(row.payload, 'an operator may try it again')
  const records = await activityOf(database, userId)
  t.match(records, [
    {
      action: 'mail.dead',
      outcome: 'failure',
      actorType: 'system',
      source: 'job',
      details: { kind: 'recovery', error: 'smtp 550' }
    }
  ])
})

t.test('a temporary failure is repeated after 30 s, and later and later', async (t) => {
  const id = await enqueueMail(db, { expiresIn: 7 * 86_400 })
  for (const seconds of [30, 120, 600, 1800, 3600, 7200, 14_400, 14_400, 14_400]) {
    const failure = { outcome: 'temporary', error: 'smtp 451' } as const
    t.equal(await completeDelivery(db, await claimOne(), failure), 'pending')
    const { due, ...row } = await rowOf(db, id)
    t.match(row, { state: 'pending', lease: null, lastError: 'smtp 451', doneAt: null })
    t.ok(due > 0.8 * seconds - 30 && due <= 1.2 * seconds, `${due} s instead of ${seconds} s`)
    await makeDue(db, id)
  }
})

t.test('a mail is tried until it is too late to be useful', async (t) => {
  const id = await enqueueMail(db)
  const tries = []
  let left = 1800
  for (let state: string | undefined = 'pending'; state === 'pending';) {
    // Brings the time of the next delivery.
    await change(db, id, {
      nextAt: sql`now()`,
      expiresAt: sql`now() + make_interval(secs => ${left}::float8)`
    })
    tries.push(left)
    state = await completeDelivery(db, await claimOne(), {
      outcome: 'temporary',
      error: 'smtp 451'
    })
    const { due } = await rowOf(db, id)
    if (state === 'pending') left -= due
  }
  t.ok(left < 30, `${left} s left at the last try`)
  for (const [i, before] of tries.slice(0, -1).entries()) {
    const after = tries[i + 1] ?? 0
    t.ok(after >= before / 2 - 1, `${after} s after ${before} s: no longer than half of the rest`)
  }
  t.ok(tries.length < 15, `${tries.length} tries`)
})

t.test('delays differ by up to 20 % either way', async (t) => {
  const drawn = Array.from({ length: 1000 }, () => spread(100))
  const [shortest, longest] = [Math.min(...drawn), Math.max(...drawn)]
  t.ok(shortest >= 80 && shortest < 85, `${shortest}`)
  t.ok(longest <= 120 && longest > 115, `${longest}`)
})

t.test('a mail is not delivered after it has expired: it is dropped, and recorded', async (t) => {
  const [userId, another] = [randomUUID(), randomUUID()]
  const soon = await enqueueMail(db, { userId, expiresIn: 20 })
  const failure = { outcome: 'temporary', error: 'connect' } as const
  t.equal(
    await completeDelivery(db, await claimOne(), failure),
    'dropped',
    'the next try would be too late'
  )
  t.match(await rowOf(db, soon), { state: 'dropped', payload: null, lastError: 'connect' })
  t.match(await activityOf(database, userId), [
    { action: 'mail.drop', details: { kind: 'recovery', error: 'connect' } }
  ])

  const late = await enqueueMail(db, { userId: another })
  await change(db, late, { expiresAt: sql`now() - interval '1 second'` })
  const row = await claimOne()
  t.equal(row.expired, true)
  t.equal(await completeDelivery(db, row, { outcome: 'expired' }), 'dropped')
  t.match(await activityOf(database, another), [
    { action: 'mail.drop', details: { kind: 'recovery', error: 'expired' } }
  ])
})

t.test('mail without a recipient is dropped without a record', async (t) => {
  const userId = randomUUID()
  await enqueueMail(db, { userId })
  await completeDelivery(db, await claimOne(), { outcome: 'dropped' })
  t.same(await activityOf(database, userId), [])
})

t.test('the next delivery sends the replaced payload', async (t) => {
  const id = await enqueueMail(db)
  const row = await claimOne()
  const fixed = aMail('ada@example.com', 'another')
  await transaction(db, (tx) => replacePayload(tx, sealing, row, { payload: fixed }))
  await completeDelivery(db, row, { outcome: 'temporary', error: 'timeout' })
  await makeDue(db, id)
  t.same(openPayload(sealing, id, (await claimOne()).payload), fixed)
})

t.test('an error that is not a class is not stored', async (t) => {
  const id = await enqueueMail(db)
  const error = 'smtp 550 <ada@example.com>: no such user'
  await completeDelivery(db, await claimOne(), { outcome: 'final', error })
  t.equal((await rowOf(db, id)).lastError, 'other')
})
