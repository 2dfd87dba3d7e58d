import { eq } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../../db/schema/activity.ts'
import { deliveries } from '../../../../db/schema/webhooks.ts'
import { aCaller, activityOf, aRole, testApp } from '../../../support/app.ts'
import { rejects } from '../../../support/scenarios.ts'
import { aDelivery, anEndpoint } from '../../../support/webhooks.ts'

const app = await testApp(t)
const { database, db } = app
const admin = await aCaller(app, 'admin')
const pathOf = ({ id }: { id: string }) => `/api/admin/webhooks/${id}`
const deliveryOf = async (id: string) => {
  const [row] = await db.select().from(deliveries).where(eq(deliveries.id, id))
  return row
}

t.test('the deliveries of a webhook are listed, newest first, and by their state', async (t) => {
  const found = await anEndpoint(database)
  const doneAt = new Date()
  const dead = await aDelivery(database, found, {
    ...{ state: 'dead', doneAt, attempts: 8, lastStatus: 500, lastError: 'status-500' },
    createdAt: new Date(Date.now() - 60_000)
  })
  const waiting = await aDelivery(database, found, { action: 'user.create' })
  await aDelivery(database, await anEndpoint(database))
  const list = async (query = '') =>
    (await admin.call('GET', `${pathOf(found)}/deliveries${query}`)).json().items
  t.match(await list(), [
    { id: waiting.id, event: 'user.create', state: 'pending', eventId: waiting.eventId },
    { id: dead.id, event: 'admin.bootstrap', state: 'dead', attempts: 8, lastError: 'status-500' }
  ])
  t.same((await list('?state=dead')).length, 1)
  t.match((await admin.call('GET', pathOf(found))).json(), { waiting: 1 })
  const unknown = pathOf({ id: dead.id })
  t.match((await admin.call('GET', `${unknown}/deliveries`)).json(), { code: 'webhook-not-found' })
})

t.test('a body is shown to those who may read records, and users to those who may', async (t) => {
  const found = await anEndpoint(database)
  const { user } = await aCaller(app)
  const delivery = await aDelivery(database, found, { action: 'user.update', userId: user.id })
  const path = `${pathOf(found)}/deliveries/${delivery.id}`
  const { body } = (await admin.call('GET', path)).json()
  t.match(body, {
    type: 'user.update',
    timestamp: delivery.eventAt.toISOString(),
    data: {
      id: delivery.eventId,
      action: 'user.update',
      targetId: user.id,
      user: { id: user.id, email: user.email, emailVerified: false }
    }
  })
  const reader = await aCaller(app, await aRole(database, 'webhooks:read', 'activity:read'))
  const withoutUser = (await reader.call('GET', path)).json().body
  t.same([withoutUser.data.id, withoutUser.data.user], [delivery.eventId, undefined])
  const other = await aCaller(app, await aRole(database, 'webhooks:read', 'users:read'))
  t.match((await other.call('GET', path)).json(), { status: 403, code: 'permission-denied' })

  const elsewhere = `${pathOf(await anEndpoint(database))}/deliveries/${delivery.id}`
  t.match((await admin.call('GET', elsewhere)).json(), { code: 'delivery-not-found' })
  await db.delete(activity).where(eq(activity.id, delivery.eventId))
  const left = (await admin.call('GET', path)).json()
  t.same([left.event, left.body], [null, undefined], 'the record was deleted')
})

t.test('what was given up is sent again, one or all since a time', async (t) => {
  const found = await anEndpoint(database)
  const dead = (minutes: number) =>
    aDelivery(database, found, {
      ...{ state: 'dead', attempts: 8, doneAt: new Date(), expiresAt: new Date() },
      createdAt: new Date(Date.now() - minutes * 60_000)
    })
  const [early, late, one] = [await dead(60), await dead(5), await dead(90)]
  const done = await aDelivery(database, found, { state: 'delivered', doneAt: new Date() })
  const path = pathOf(found)
  const resend = ({ id: delivery }: { id: string }) =>
    admin.call('POST', `${path}/resend`, { delivery })
  t.same((await resend(one)).json(), { count: 1 })
  t.same((await resend(done)).json(), { count: 1 }, 'also what was delivered')
  const since = new Date(Date.now() - 600_000).toISOString()
  t.same((await admin.call('POST', `${path}/resend`, { since })).json(), { count: 1 })
  for (const { id } of [one, done, late]) {
    const row = await deliveryOf(id)
    t.match(row, { state: 'pending', attempts: 0, doneAt: null })
    t.ok((row?.expiresAt.getTime() ?? 0) > Date.now() + 2 * 86_400_000)
  }
  t.match(await deliveryOf(early.id), { state: 'dead' })
  const sent = (await activityOf(database, found.id)).map(({ action, details }) => [
    action,
    details.count
  ])
  t.same(sent, Array(3).fill(['webhook.resend', 1]))
  t.match((await resend({ id: found.id })).json(), { code: 'delivery-not-found' })
  await rejects(t, admin.call, `POST ${path}/resend`, [
    ['nothing', {}, ' empty'],
    ['both', { since, delivery: one.id }, ' too-many']
  ])
})

t.test('what is being sent is not sent again', async (t) => {
  const found = await anEndpoint(database)
  const leased = await aDelivery(database, found, { lease: found.id, attempts: 1 })
  const body = { delivery: leased.id }
  const response = await admin.call('POST', `${pathOf(found)}/resend`, body)
  t.same(response.json(), { count: 0 })
  t.match(await deliveryOf(leased.id), { lease: found.id, attempts: 1, nextAt: leased.nextAt })
  t.same(await activityOf(database, found.id), [])
})

t.test('a webhook that is resumed is no longer failing, and what waits is due', async (t) => {
  const found = await anEndpoint(database, { failingSince: new Date(), events: ['mail.dead'] })
  const later = new Date(Date.now() + 3_600_000)
  const waiting = await aDelivery(database, found, { attempts: 3, nextAt: later })
  const leased = await aDelivery(database, found, { lease: found.id, nextAt: later })
  const state = await admin.call('PATCH', pathOf(found), { state: 'active' })
  t.match(state.json(), { state: 'active', failingSince: null })
  t.ok((await deliveryOf(waiting.id))!.nextAt <= new Date(Date.now() + 60_000))
  t.same((await deliveryOf(leased.id))?.nextAt, later, 'its worker has it')
})
