import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../db/schema/activity.ts'
import { deliveries, webhookEndpoints } from '../../../db/schema/webhooks.ts'
import { LeaseLost } from '../../../src/domain/outbox/leases.ts'
import { claim, expire, readBacklog } from '../../../src/domain/webhooks/claim.ts'
import { completeDelivery } from '../../../src/domain/webhooks/complete-delivery.ts'
import { testDatabase } from '../../support/app.ts'
import { anEndpoint, deliveriesTo, endpointOf, happen, makeDue, nowhere, room } from './parts.ts'

const { db } = await testDatabase(t)
t.beforeEach(async () => {
  await db.delete(webhookEndpoints)
})

t.test('an endpoint that fails gets one delivery at a time, others four', async (t) => {
  const good = await anEndpoint(db, nowhere)
  const bad = await anEndpoint(db, nowhere, ['*'], { failingSince: sql`now()` as never })
  await happen(db, 30)
  const claimed = await claim(db, room)
  const countOf = (id: string) => claimed.filter(({ endpointId }) => endpointId === id).length
  t.equal(countOf(good.id), 4)
  t.equal(countOf(bad.id), 1)
  const more = await claim(db, { ...room, underWay: { [good.id]: 3 } })
  t.same(
    more.map(({ endpointId }) => endpointId),
    [good.id],
    'also when another instance delivers to it'
  )
  t.same(await claim(db, { ...room, underWay: { [good.id]: 4 }, resting: [bad.id] }), [])
})

t.test('no endpoint stands before another', async (t) => {
  const crowded = await Promise.all(Array.from({ length: 4 }, () => anEndpoint(db, nowhere, ['*'])))
  await happen(db, 10)
  await db.update(deliveries).set({ nextAt: sql`now() - interval '1 hour'` })
  await db.update(webhookEndpoints).set({ events: [] })
  const late = await anEndpoint(db, nowhere, ['*'])
  await happen(db)
  const claimed = await claim(db, { ...room, limit: 5 })
  t.same(
    claimed.map(({ endpointId }) => endpointId).toSorted(),
    [...crowded, late].map(({ id }) => id).toSorted()
  )
})

t.test(
  'a lease that ran out is for another worker, and the first one stores nothing',
  async (t) => {
    const { id } = await anEndpoint(db, nowhere)
    await happen(db)
    const [first] = await claim(db, room)
    if (!first) throw new Error('not claimed')
    t.same(await claim(db, room), [], 'the lease holds')
    await makeDue(db)
    const [second] = await claim(db, room)
    if (!second) throw new Error('not claimed')
    t.equal(second.id, first.id)
    await t.rejects(completeDelivery(db, first, { status: 200 }), LeaseLost)
    t.match(await deliveriesTo(db, id), [{ state: 'pending', attempts: 2, lease: second.lease }])
    t.match(await completeDelivery(db, second, { status: 200 }), { state: 'delivered' })
  }
)

t.test('a worker that has lost its lease changes nothing of the endpoint either', async (t) => {
  const failingSince = new Date(Date.now() - 3_600_000)
  const { id } = await anEndpoint(db, nowhere, ['*'], { failingSince })
  await happen(db)
  const [first] = await claim(db, room)
  if (!first) throw new Error('not claimed')
  await makeDue(db)
  await claim(db, room)
  const before = await endpointOf(db, id)
  for (const outcome of [{ status: 200 }, { status: 410, error: 'status-410' }]) {
    await t.rejects(completeDelivery(db, first, outcome), LeaseLost)
    t.same(await endpointOf(db, id), before, `${outcome.status}`)
  }
  t.equal(await db.$count(activity, eq(activity.targetId, id)), 0, 'nothing is recorded')
})

t.test('what waits for too long is given up, also for a paused endpoint', async (t) => {
  const { id } = await anEndpoint(db, nowhere, ['*'], { state: 'paused' })
  await happen(db, 3)
  t.equal(await expire(db, 10), 0)
  await db.update(deliveries).set({ expiresAt: sql`now() - interval '1 second'` })
  t.equal(await expire(db, 2), 2)
  t.equal(await expire(db, 2), 1)
  t.match(await deliveriesTo(db, id), [{ state: 'dead', lastError: 'expired' }, {}, {}])
})

t.test('the backlog has what waits for active endpoints, and all that fail', async (t) => {
  t.same(await readBacklog(db), { pending: 0, oldestSeconds: 0, failing: 0 })
  await anEndpoint(db, nowhere, ['*'], { state: 'paused' })
  await anEndpoint(db, nowhere, ['user.*'], { state: 'paused', failingSince: new Date() })
  await anEndpoint(db, nowhere)
  await happen(db, 2)
  await db.update(deliveries).set({ createdAt: sql`now() - interval '1 hour'` })
  const { pending, oldestSeconds, failing } = await readBacklog(db)
  t.same([pending, failing], [2, 1])
  t.ok(oldestSeconds >= 3600 && oldestSeconds < 4000)
})
