import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../db/schema/activity.ts'
import { users } from '../../../db/schema/users.ts'
import { deliveries, webhookEndpoints } from '../../../db/schema/webhooks.ts'
import { transaction } from '../../../db/transaction.ts'
import { recordAll, record } from '../../../src/domain/activity/record.ts'
import { bodyOf } from '../../../src/domain/webhooks/message.ts'
import { anonymous, aUser, testDatabase } from '../../support/app.ts'
import { recordOwn } from '../../base/own-app.ts'
import { declareWords } from '../../../src/domain/vocabulary.ts'
import { anEndpoint, deliveriesTo, happen } from './parts.ts'

const { db } = await testDatabase(t)
t.beforeEach(async () => {
  await db.delete(webhookEndpoints)
})
const url = 'https://hooks.example.com/'

t.test('an endpoint gets the events of its patterns, each once', async (t) => {
  declareWords({ actions: { 'shop.order.ship': { when: 'an order is shipped' } } })
  const patterns: Record<string, string[]> = {
    everything: ['*'],
    one: ['auth.confirm-failed'],
    group: ['auth.*'],
    twice: ['*', 'auth.*', 'auth.confirm-failed'],
    other: ['user.*', 'auth.confirm', 'confirm-failed', 'auth'],
    ownGroup: ['shop.*'],
    ownInner: ['shop.order.*'],
    none: []
  }
  const ids: Record<string, string> = {}
  for (const [name, events] of Object.entries(patterns)) {
    const state = name === 'one' ? 'paused' : 'active'
    ids[name] = (await anEndpoint(db, url, events, { state })).id
  }
  await happen(db)
  await transaction(db, (tx) => recordOwn(tx, anonymous, 'shop.order.ship'))
  const counts: Record<string, number> = {}
  for (const [name, id] of Object.entries(ids)) counts[name] = (await deliveriesTo(db, id)).length
  t.same(counts, {
    everything: 2,
    one: 1,
    group: 1,
    twice: 2,
    other: 0,
    ownGroup: 1,
    ownInner: 1,
    none: 0
  })
})

t.test('a delivery refers to its record, whose time it has', async (t) => {
  const { id } = await anEndpoint(db, url)
  await transaction(db, async (tx) => {
    await recordAll(tx, anonymous, 'auth.confirm-failed', [{ reason: 'one' }, { reason: 'two' }])
  })
  const rows = await deliveriesTo(db, id)
  const reasons = []
  for (const row of rows) reasons.push((await bodyOf(db, row))?.data.reason)
  t.same(reasons.toSorted(), ['one', 'two'])
  t.ok(rows.every(({ state, attempts }) => state === 'pending' && attempts === 0))
})

t.test('what is rolled back is no event', async (t) => {
  const { id } = await anEndpoint(db, url)
  const failing = transaction(db, async (tx) => {
    await record(tx, anonymous, 'auth.confirm-failed')
    throw new Error('rolled back')
  })
  await t.rejects(failing)
  t.same(await deliveriesTo(db, id), [])
})

t.test('an endpoint gets nothing that it does not hear', async (t) => {
  const { id } = await anEndpoint(db, url, ['user.*'])
  await happen(db)
  t.same(await deliveriesTo(db, id), [])
})

t.test('a body has the record, and the user as they are now', async (t) => {
  const { id } = await anEndpoint(db, url, ['user.*'])
  const user = await aUser({ db })
  await transaction(db, (tx) =>
    recordOwn(tx, anonymous, 'user.update', { userId: user.id, details: { fields: ['name'] } })
  )
  const [delivery] = await deliveriesTo(db, id)
  if (!delivery) throw new Error('no delivery')
  const [found] = await db.select().from(activity).where(eq(activity.id, delivery.eventId))
  const body = await bodyOf(db, delivery)
  t.match(body, { type: 'user.update', timestamp: found?.at.toISOString() })
  const { user: shown, ...shownRecord } = body?.data ?? {}
  t.same(shownRecord, found)
  t.same(shown, {
    id: user.id,
    email: user.email,
    emailVerified: false,
    name: shown?.name,
    status: 'active',
    version: 1
  })
  await db
    .update(users)
    .set({ name: 'Grace', version: 2, emailVerifiedAt: sql`now()` })
    .where(eq(users.id, user.id))
  t.match((await bodyOf(db, delivery))?.data.user, {
    name: 'Grace',
    version: 2,
    emailVerified: true
  })
})

t.test('nothing of a deleted user is kept in what waits or is dead', async (t) => {
  const { id } = await anEndpoint(db, url, ['user.*'])
  const user = await aUser({ db })
  await transaction(db, (tx) => recordOwn(tx, anonymous, 'user.update', { userId: user.id }))
  const [delivery] = await deliveriesTo(db, id)
  if (!delivery) throw new Error('no delivery')
  t.match(await bodyOf(db, delivery), { data: { user: { email: user.email } } })
  await db.update(deliveries).set({ state: 'dead', doneAt: sql`now()` })
  await db.delete(users).where(eq(users.id, user.id))
  t.notMatch(JSON.stringify(await deliveriesTo(db, id)), user.email)
  const body = await bodyOf(db, delivery)
  t.equal(body?.data.targetId, user.id)
  t.notOk(body?.data.user)
  t.notMatch(JSON.stringify(body), user.email)
  await db.delete(activity).where(eq(activity.id, delivery.eventId))
  t.equal(await bodyOf(db, delivery), undefined, 'nor a body without its record')
})
