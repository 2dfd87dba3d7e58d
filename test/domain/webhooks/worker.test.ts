import { eq, isNotNull, sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../db/schema/activity.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { deliveries, webhookEndpoints } from '../../../db/schema/webhooks.ts'
import { claim, findWork } from '../../../src/domain/webhooks/claim.ts'
import { completeDelivery } from '../../../src/domain/webhooks/complete-delivery.ts'
import { testEndpoint } from '../../../src/domain/webhooks/endpoints.ts'
import { newSecret, sealSecret } from '../../../src/domain/webhooks/signature.ts'
import { operator, testDatabase, until } from '../../support/app.ts'
import {
  aReceiver,
  anEndpoint,
  deliveriesTo,
  endpointOf,
  happen,
  isSigned,
  makeDue,
  nowhere,
  room,
  sealing,
  sender,
  startWorker
} from './parts.ts'
import { enqueueMail, startWorker as startMailWorker } from '../outbox/parts.ts'

const { db } = await testDatabase(t)
t.beforeEach(async () => {
  await db.delete(webhookEndpoints)
})

t.test('an event arrives, signed by both secrets while both are valid', async (t) => {
  const { url, messages } = await aReceiver(t)
  const { id, secret } = await anEndpoint(db, url)
  const former = newSecret()
  await db
    .update(webhookEndpoints)
    .set({
      formerSecret: sealSecret(sealing, id, former),
      formerUntil: sql`now() + interval '1 hour'`
    })
    .where(eq(webhookEndpoints.id, id))
  startWorker(t, { db })
  await happen(db)
  const message = await until(() => messages[0])
  t.match(message.body, { type: 'auth.confirm-failed', data: { outcome: 'failure' } })
  t.equal(message.headers['content-type'], 'application/json')
  t.ok(isSigned(secret, message))
  t.ok(isSigned(former, message))
  t.notOk(isSigned(secret, { ...message, text: message.text.replace('failure', 'success') }))
  t.notOk(isSigned(newSecret(), message))
  const [row] = await until(async () => {
    const rows = await deliveriesTo(db, id)
    return rows[0]?.state === 'delivered' ? rows : undefined
  })
  t.match(row, { id: message.id, attempts: 1, lastStatus: 204, lastError: null, lease: null })
})

t.test('a failed delivery comes again later, with the same id', async (t) => {
  let status = 500
  const { url, messages } = await aReceiver(t, () => status)
  const { id } = await anEndpoint(db, url)
  const { worker } = startWorker(t, { db })
  await happen(db)
  await until(() => worker.totals.retried === 1)
  const [row] = await deliveriesTo(db, id)
  t.match(row, { state: 'pending', attempts: 1, lastStatus: 500, lastError: 'status-500' })
  const delay = (row?.nextAt.getTime() ?? 0) - Date.now()
  t.ok(delay > 15_000 && delay < 40_000, `${delay} ms`)
  t.ok((await endpointOf(db, id)).failingSince)
  status = 200
  await makeDue(db)
  await until(() => worker.totals.delivered === 1)
  t.equal(messages[1]?.id, messages[0]?.id)
  t.equal((await endpointOf(db, id)).failingSince, null)
})

t.test('after eight attempts in three days a delivery is dead', async (t) => {
  const { id } = await anEndpoint(db, nowhere)
  await happen(db)
  let days = 0
  for (let attempt = 1; attempt <= 8; attempt++) {
    await makeDue(db)
    await db.update(webhookEndpoints).set({ failingSince: null })
    const [row] = await claim(db, room)
    if (!row) throw new Error('not claimed')
    const settled = await completeDelivery(db, row, { error: 'timeout' })
    t.equal(settled.state, attempt === 8 ? 'dead' : 'pending')
    const [{ nextAt } = { nextAt: new Date() }] = await deliveriesTo(db, id)
    if (attempt < 8) days += (nextAt.getTime() - Date.now()) / 86_400_000
  }
  t.ok(days > 2.3 && days < 3.7, `${days} days`)
  t.match(await deliveriesTo(db, id), [{ state: 'dead', lastError: 'timeout', attempts: 8 }])
})

t.test('a redirect, an error and 410 are failures, and 410 pauses the endpoint', async (t) => {
  const statuses = [307, 404, 410]
  const { url, messages } = await aReceiver(t, () => statuses.shift() ?? 500)
  const { id } = await anEndpoint(db, url)
  const { worker } = startWorker(t, { db })
  for (const [count, error] of ['redirect', 'status-404', 'status-410'].entries()) {
    if (count === 0) await happen(db)
    else await makeDue(db)
    await until(() => worker.totals.retried === count + 1)
    t.match(await deliveriesTo(db, id), [{ state: 'pending', lastError: error }])
  }
  t.match(await endpointOf(db, id), { state: 'paused', version: 2 })
  const [found] = await db.select().from(activity).where(eq(activity.targetId, id))
  t.match(found, {
    action: 'webhook.update',
    actorType: 'system',
    targetType: 'webhook',
    details: { fields: ['state'] }
  })
  await makeDue(db)
  t.equal(await findWork(db, false), undefined, 'nobody delivers to it')
  t.same(await claim(db, room), [])
  t.equal(messages.length, 3)
})

t.test('an endpoint that has failed for a day is paused, and what waits stays', async (t) => {
  const fail = async (failingFor: string) => {
    const { id } = await anEndpoint(db, nowhere, ['*'], {
      failingSince: sql`now() - ${failingFor}::interval` as never
    })
    await happen(db)
    const [row] = await claim(db, room)
    if (!row) throw new Error('not claimed')
    await completeDelivery(db, row, { error: 'unreachable' })
    const result = { ...(await endpointOf(db, id)), waiting: await deliveriesTo(db, id) }
    await db.delete(webhookEndpoints)
    return result
  }
  t.match(await fail('23 hours'), { state: 'active', waiting: [{ state: 'pending' }] })
  t.match(await fail('25 hours'), { state: 'paused', waiting: [{ state: 'pending' }] })
})

t.test('several workers deliver every event once', async (t) => {
  const { url, messages } = await aReceiver(t)
  await anEndpoint(db, url)
  await happen(db, 100)
  for (let i = 0; i < 3; i++) startWorker(t, { db })
  await until(async () => (await db.$count(deliveries, eq(deliveries.state, 'pending'))) === 0)
  t.equal(new Set(messages.map(({ id }) => id)).size, 100)
  t.equal(messages.length, 100)
})

t.test(
  '10,000 deliveries of a slow endpoint delay neither mail nor another endpoint',
  async (t) => {
    const open: (() => void)[] = []
    let most = 0
    const slow = await aReceiver(t, async () => {
      await new Promise<void>((resolve) => open.push(resolve))
      return 200
    })
    const { id } = await anEndpoint(db, slow.url)
    await happen(db)
    await db.execute(sql`insert into deliveries (endpoint_id, event_id, event_at, expires_at)
    select endpoint_id, event_id, event_at, expires_at from deliveries, generate_series(1, 9999)`)
    t.equal(await db.$count(deliveries, eq(deliveries.endpointId, id)), 10_000)
    startWorker(t, { db })
    await until(() => {
      most = Math.max(most, open.length)
      return open.length === 4
    })
    const quick = await aReceiver(t)
    await anEndpoint(db, quick.url, ['auth.confirm-failed'])
    const mail = await enqueueMail(db)
    const { worker } = startMailWorker(t, { db, send: async () => ({ outcome: 'sent' }) })
    await happen(db, 10)
    await until(() => quick.messages.length === 10 && worker.totals.sent === 1)
    t.equal((await db.select().from(outbox).where(eq(outbox.id, mail)))[0]?.state, 'sent')
    t.equal(most, 4)
    t.equal(slow.messages.length, 4)
    for (const end of open) end()
  }
)

t.test('an instance has at most twenty deliveries under way', async (t) => {
  let isHolding = true
  const open: (() => void)[] = []
  const { url, messages } = await aReceiver(t, async () => {
    if (isHolding) await new Promise<void>((resolve) => open.push(resolve))
    return 204
  })
  for (let n = 0; n < 6; n++) await anEndpoint(db, url)
  await happen(db, 5)
  startWorker(t, { db })
  await until(() => open.length >= 20)
  // Leases as well, because a claim can be ahead of its requests.
  const leased = await db.$count(deliveries, isNotNull(deliveries.lease))
  t.same([leased, open.length], [20, 20])
  isHolding = false
  for (const end of open) end()
  await until(() => messages.length === 30)
})

t.test(
  'a record that was deleted ends its delivery, and does not count against the endpoint',
  async (t) => {
    const { id } = await anEndpoint(db, nowhere)
    await happen(db)
    const [row] = await deliveriesTo(db, id)
    await db.delete(activity).where(eq(activity.id, row?.eventId ?? ''))
    const { worker } = startWorker(t, { db })
    await until(() => worker.totals.dead === 1)
    t.match(await deliveriesTo(db, id), [{ state: 'dead', lastError: 'record deleted' }])
    t.equal((await endpointOf(db, id)).failingSince, null)
  }
)

t.test('a worker that stops ends what it has begun', async (t) => {
  const open: (() => void)[] = []
  const { url } = await aReceiver(t, async () => {
    await new Promise<void>((resolve) => open.push(resolve))
    return 200
  })
  const { id } = await anEndpoint(db, url)
  await happen(db)
  const { worker } = startWorker(t, { db })
  await until(() => open.length === 1)
  const stopped = worker.stop()
  open[0]?.()
  await stopped
  t.match(await deliveriesTo(db, id), [{ state: 'delivered' }])
})

t.test('a test message is sent at once, and nothing of it is stored', async (t) => {
  const { url, messages } = await aReceiver(t)
  const { id, secret } = await anEndpoint(db, url)
  const context = { db, sealing, sender }
  t.match(await testEndpoint(context, operator, { id }), { status: 204, error: undefined })
  t.match(messages, [{ body: { type: 'webhook.test', data: {} } }])
  t.ok(messages[0] && isSigned(secret, messages[0]))
  t.same(await deliveriesTo(db, id), [])
  const dead = await anEndpoint(db, nowhere)
  t.same(await testEndpoint(context, operator, dead), { error: 'unreachable' })
})
