import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { outbox } from '../../../db/schema/outbox.ts'
import { expiredRows } from '../../../src/domain/jobs/sweep.ts'
import { deleteOld } from '../../../src/domain/jobs/delete-batches.ts'
import type { Batch } from '../../../src/domain/jobs/delete-batches.ts'
import { claim } from '../../../src/domain/outbox/claim.ts'
import {
  countDead,
  listOutbox,
  readBacklog,
  retryAllMail,
  retryMail
} from '../../../src/domain/outbox/list.ts'
import { completeDelivery } from '../../../src/domain/outbox/complete-delivery.ts'
import { operator, testDatabase } from '../../support/app.ts'
import { change, enqueueMail, rowOf } from './parts.ts'

const { db } = await testDatabase(t)
t.beforeEach(async () => {
  await db.delete(outbox)
})

const final = { outcome: 'final', error: 'smtp 550' } as const

/** A mail in this state, and how many days ago it came to it. */
async function aMail(result: 'sent' | 'dropped' | 'caught' | 'dead' | 'pending', days = 0) {
  const id = await enqueueMail(db)
  if (result === 'pending') return id
  const [row] = await claim(db, 1)
  if (row?.id !== id) throw new Error('another mail is due')
  await completeDelivery(db, row, result === 'dead' ? final : { outcome: result })
  await change(db, id, { doneAt: sql`now() - make_interval(secs => ${days * 86_400}::float8)` })
  return id
}

t.test('a list shows the state of each mail, newest first, without sealed values', async (t) => {
  const dead = await aMail('dead')
  const sent = await aMail('sent')
  const window = { limit: 1, sort: '-createdAt' } as const
  const first = await listOutbox(db, window)
  t.match(first.items, [{ id: sent, state: 'sent', kind: 'recovery', attempts: 1 }])
  t.notOk(first.items.some((item) => 'payload' in item || 'lease' in item))
  const second = await listOutbox(db, { ...window, after: first.next })
  t.match(second, { items: [{ id: dead, lastError: 'smtp 550' }], next: undefined })
  t.match(await listOutbox(db, { ...window, state: 'dead' }), {
    items: [{ id: dead }],
    next: undefined
  })
})

t.test('the backlog counts pending mail, and gives the age of the oldest', async (t) => {
  t.same(await readBacklog(db), { pending: 0, oldestSeconds: 0 })
  await aMail('sent')
  await aMail('dead')
  await aMail('pending')
  const old = await aMail('pending')
  await change(db, old, { createdAt: sql`now() - interval '1 hour'` })
  const { pending, oldestSeconds: age } = await readBacklog(db)
  t.equal(pending, 2)
  // A clock can step back between two statements.
  t.ok(age > 3590 && age < 4000, `${age} s`)
  t.equal(await countDead(db), 1)
})

t.test(
  'a dead mail that is tried again is due at once, with its schedule begun anew',
  async (t) => {
    const id = await aMail('dead')
    await retryMail(db, operator, { id })
    t.match(await rowOf(db, id), { state: 'pending', attempts: 0, doneAt: null })
    t.match(await claim(db, 10), [{ id, attempts: 1, payload: Uint8Array }])
  }
)

t.test('a mail that waits for its next try can be tried at once', async (t) => {
  const id = await aMail('pending')
  await change(db, id, { nextAt: sql`now() + interval '4 hours'` })
  await retryMail(db, operator, { id })
  t.match(await claim(db, 10), [{ id }])
  await retryMail(db, operator, { id })
  t.same(await claim(db, 10), [], 'but not by two workers at once')
})

t.test('a question that is answered later waits for its time, and is no mail yet', async (t) => {
  const id = await enqueueMail(db, { kind: 'sign-in-unfinished', dueIn: 300 })
  t.same(await readBacklog(db), { pending: 0, oldestSeconds: 0 })
  t.same(await claim(db, 10), [])
  await t.rejects(retryMail(db, operator, { id }), { code: 'mail-finished' })
  t.equal(await retryAllMail(db, operator, { state: 'pending' }), 0)
  t.ok((await rowOf(db, id)).due > 290)
  await change(db, id, { nextAt: sql`now()` })
  t.match(await claim(db, 10), [{ id }])
})

t.test('mail that was sent, dropped or caught, or has expired, is not tried again', async (t) => {
  for (const state of ['sent', 'dropped', 'caught'] as const) {
    await t.rejects(retryMail(db, operator, { id: await aMail(state) }), {
      code: 'mail-finished',
      statusCode: 409
    })
  }
  const expired = await aMail('dead')
  await change(db, expired, { expiresAt: sql`now() - interval '1 second'` })
  await t.rejects(retryMail(db, operator, { id: expired }), { code: 'mail-finished' })
  await t.rejects(retryMail(db, operator, { id: randomUUID() }), {
    code: 'mail-not-found',
    statusCode: 404
  })
  t.match(await rowOf(db, expired), { state: 'dead' })
  t.same(await claim(db, 10), [])
})

t.test('all dead mail is tried again, except expired mail', async (t) => {
  const dead = [await aMail('dead'), await aMail('dead')]
  const expired = await aMail('dead')
  await change(db, expired, { expiresAt: sql`now() - interval '1 second'` })
  await aMail('sent')
  t.equal(await retryAllMail(db, operator, { state: 'dead' }), 2)
  t.same((await claim(db, 10)).map(({ id }) => id).toSorted(), dead.toSorted())
  t.match(await rowOf(db, expired), { state: 'dead' })
})

t.test('dead mail is tried again in batches, however much there is', async (t) => {
  const id = await aMail('dead')
  await db.execute(sql`
    insert into outbox (id, kind, payload, state, expires_at, done_at)
    select gen_random_uuid(), kind, payload, state, expires_at, done_at
    from outbox, generate_series(1, 10000) where id = ${id}`)
  t.equal(await retryAllMail(db, operator, { state: 'dead' }), 10_001)
  t.equal(await countDead(db), 0)
  await db.delete(outbox)
})

t.test(
  'all mail that waits for its next try is due at once, except mail that is being delivered',
  async (t) => {
    const [waiting, expired, delivered] = [
      await aMail('pending'),
      await aMail('pending'),
      await aMail('pending')
    ]
    await change(db, waiting, { nextAt: sql`now() + interval '4 hours'`, attempts: sql`7` })
    await change(db, expired, {
      nextAt: sql`now() + interval '4 hours'`,
      expiresAt: sql`now() - interval '1 second'`
    })
    t.match(await claim(db, 1), [{ id: delivered }])
    const dead = await aMail('dead')
    t.equal(await retryAllMail(db, operator, { state: 'pending' }), 1)
    t.equal(await retryAllMail(db, operator, { state: 'pending' }), 0, 'it is due already')
    t.match(await claim(db, 10), [{ id: waiting, attempts: 1 }])
    t.match(await rowOf(db, dead), { state: 'dead' })
  }
)

t.test('done mail is deleted after 7 days, dead mail after 30, pending mail never', async (t) => {
  const ages = [
    ['sent', 7.1, false],
    ['dropped', 7.1, false],
    ['caught', 8, false],
    ['dead', 30.1, false],
    ['sent', 6.9, true],
    ['dropped', 6.9, true],
    ['caught', 1, true],
    ['dead', 29.9, true],
    ['pending', 0, true]
  ] as const
  const kept = []
  let deleted = 0
  for (const [state, days, isKept] of ages) {
    const id = await aMail(state, days)
    if (isKept) kept.push(id)
  }
  let next: Batch['next']
  do {
    const batch = await deleteOld(db, expiredRows['old mail'], 2, next)
    deleted += batch.deleted
    next = batch.next
  } while (next)
  t.equal(deleted, 4)
  const left = await db.select({ id: outbox.id }).from(outbox)
  t.same(left.map(({ id }) => id).toSorted(), kept.toSorted())
})
