import { eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { deliveries, webhookEndpoints } from '../../../../db/schema/webhooks.ts'
import type { EndpointRow } from '../../../../db/schema/webhooks.ts'
import { secretsOf } from '../../../../src/domain/webhooks/signature.ts'
import { aCaller, activityOf, aRole, ownApp, testApp, until } from '../../../support/app.ts'
import { rejects, scenarios } from '../../../support/scenarios.ts'
import { aDelivery, anEndpoint, aReceiver, publicUrl } from '../../../support/webhooks.ts'

const app = await testApp(t)
const { database, db } = app
const admin = await aCaller(app, 'admin')
const pathOf = ({ id }: { id: string }) => `/api/admin/webhooks/${id}`
const create = (url = publicUrl, events = ['admin.bootstrap']) =>
  admin.call('POST', '/api/admin/webhooks', { url, events })
const rowOf = async ({ id }: { id: string }) => {
  const [row] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id))
  return row as EndpointRow
}

t.test('a webhook is created, changed, paused, resumed and deleted', async (t) => {
  const created = await create()
  t.equal(created.statusCode, 201)
  const { secret, ...shown } = created.json()
  const path = pathOf(shown)
  t.equal(created.headers.location, path)
  t.match(shown, { url: publicUrl, events: ['admin.bootstrap'], state: 'active', waiting: 0 })
  t.same((await admin.call('GET', path)).json(), shown, 'without the secret')
  const all = (await admin.call('GET', '/api/admin/webhooks?limit=200')).json()
  t.same(
    all.items.filter(({ id }: { id: string }) => id === shown.id),
    [shown]
  )
  t.same(secretsOf(app.context.sealing, await rowOf(shown)), [secret])

  const events = ['user.*', 'auth.register']
  t.match((await admin.call('PATCH', path, { events })).json(), { url: publicUrl, events })
  t.match((await admin.call('PATCH', path, { state: 'paused' })).json(), {
    state: 'paused',
    events
  })
  t.match((await admin.call('PATCH', path, { state: 'active' })).json(), { state: 'active' })
  t.equal((await admin.call('DELETE', path)).statusCode, 204)
  t.match((await admin.call('GET', path)).json(), { status: 404, code: 'webhook-not-found' })
  const records = (await activityOf(database, shown.id)).reverse()
  t.same(
    records.map(({ action, details }) => [action, details]),
    [
      ['webhook.create', { host: '93.184.215.14', events: ['admin.bootstrap'] }],
      ['webhook.update', { host: '93.184.215.14', fields: ['events'] }],
      ['webhook.update', { host: '93.184.215.14', fields: ['state'] }],
      ['webhook.update', { host: '93.184.215.14', fields: ['state'] }],
      ['webhook.delete', { host: '93.184.215.14' }]
    ],
    'without the path and the query, which may have secrets'
  )
})

t.test('a URL or events that cannot be are refused by their fields', async (t) => {
  const events = ['user.*']
  await rejects(t, admin.call, 'POST /api/admin/webhooks', [
    ['no URL', { url: 'crm', events }, '/url invalid-url'],
    ['no TLS', { url: 'http://93.184.215.14/', events }, '/url invalid-url'],
    ['a password', { url: 'https://user:word@93.184.215.14/', events }, '/url invalid-url'],
    ['a private address', { url: 'https://10.0.0.1/', events }, '/url invalid-url'],
    ['no events', { url: publicUrl, events: [] }, '/events too-short'],
    ['an event twice', { url: publicUrl, events: ['user.*', 'user.*'] }, '/events repeated'],
    ['no pattern', { url: publicUrl, events: ['user.*.x'] }, '/events/0 malformed'],
    ['no action', { url: publicUrl, events: ['*', 'user.created'] }, '/events/1 not-allowed'],
    ['no noun', { url: publicUrl, events: ['accounts.*'] }, '/events/0 not-allowed'],
    ['a part of a noun', { url: publicUrl, events: ['use.*'] }, '/events/0 not-allowed'],
    [
      'two mistakes',
      { url: 'https://10.0.0.1/', events: ['user.created'] },
      ['/url invalid-url', '/events/0 not-allowed']
    ]
  ])
  const path = pathOf(await anEndpoint(database))
  await rejects(t, admin.call, `PATCH ${path}`, [
    ['a private address', { url: 'https://[::ffff:10.0.0.1]/' }, '/url invalid-url'],
    ['no action', { events: ['user.created'] }, '/events/0 not-allowed']
  ])
})

t.test('a webhook is only for those who may read what it sends', async (t) => {
  const own = ['webhooks:read', 'webhooks:create', 'webhooks:update', 'webhooks:delete'] as const
  const found = await anEndpoint(database)
  const { id } = await aDelivery(database, found)
  const path = pathOf(found)
  const since = '2026-01-01T00:00:00Z'
  const refused = [403, 'exceeds-own-permissions'] as const
  for (const reading of ['activity:read', 'users:read']) {
    const { call } = await aCaller(app, await aRole(database, ...own, reading))
    await scenarios(t, call, [
      ['new', 'POST /api/admin/webhooks', { url: publicUrl, events: ['*'] }, ...refused],
      ['events', `PATCH ${path}`, { events: ['*'] }, ...refused],
      ['the URL', `PATCH ${path}`, { url: publicUrl }, ...refused],
      ['the secret', `POST ${path}/secret`, undefined, ...refused],
      ['again', `POST ${path}/resend`, { delivery: id }, ...refused],
      ['all again', `POST ${path}/resend`, { since }, ...refused],
      ['a test', `POST ${path}/test`, undefined, ...refused]
    ])
  }
  const { call } = await aCaller(app, await aRole(database, ...own))
  t.equal((await call('DELETE', path)).statusCode, 204)
})

t.test('a change that is based on an older state is refused', async (t) => {
  const path = pathOf((await create()).json())
  const { etag } = (await admin.call('GET', path)).headers
  const ifMatch = { 'if-match': String(etag) }
  t.equal((await admin.call('PATCH', path, { events: ['user.*'] }, ifMatch)).statusCode, 200)
  const refused = [412, 'precondition-failed', ifMatch] as const
  await scenarios(t, admin.call, [
    ['a change', `PATCH ${path}`, { state: 'paused' }, ...refused],
    ['a renewal', `POST ${path}/secret`, undefined, ...refused],
    ['a deletion', `DELETE ${path}`, undefined, ...refused]
  ])
  t.match(await rowOf({ id: path.split('/').at(-1) ?? '' }), {
    state: 'active',
    events: ['user.*']
  })
})

t.test('after a renewal, both secrets sign for a day', async (t) => {
  const { secret, ...shown } = (await create()).json()
  const renewed = (await admin.call('POST', `${pathOf(shown)}/secret`)).json()
  t.not(renewed.secret, secret)
  const row = await rowOf(shown)
  t.same(secretsOf(app.context.sealing, row), [renewed.secret, secret])
  const left = Date.parse(renewed.formerSecretUntil) - Date.now()
  t.ok(left > 23 * 3_600_000 && left < 25 * 3_600_000)
  t.notMatch(JSON.stringify((await admin.call('GET', pathOf(shown))).json()), /whsec_/)
  const again = (await admin.call('POST', `${pathOf(shown)}/secret`)).json()
  t.same(secretsOf(app.context.sealing, await rowOf(shown)), [again.secret, renewed.secret])
  const [record] = await activityOf(database, shown.id)
  t.match(record, { action: 'webhook.update', details: { fields: ['secret'] } })
  t.notMatch(JSON.stringify(record), /whsec_/)
})

t.test('functions of the app can be paused and deleted, and not changed', async (t) => {
  const app = await ownApp(t)
  const { call } = await aCaller(app, 'admin')
  const ofApp = await anEndpoint(app.database, { url: null, secret: null, state: 'active' })
  const path = pathOf(ofApp)
  const refused = [409, 'app-webhook'] as const
  await scenarios(t, call, [
    ['shown', `GET ${path}`, undefined, 200, { url: null }],
    ['a URL', `PATCH ${path}`, { url: publicUrl }, ...refused],
    ['events', `PATCH ${path}`, { events: ['user.*'] }, ...refused],
    ['a secret', `POST ${path}/secret`, undefined, ...refused],
    ['a test', `POST ${path}/test`, undefined, ...refused],
    ['paused', `PATCH ${path}`, { state: 'paused' }, 200, { state: 'paused' }],
    ['deleted', `DELETE ${path}`, undefined, 204]
  ])
})

t.test('there are at most 50 webhooks, also when two are created at once', async (t) => {
  const app = await ownApp(t)
  const { call } = await aCaller(app, 'admin')
  for (let count = 0; count < 49; count++) await anEndpoint(app.database)
  const body = { url: publicUrl, events: ['user.*'] }
  const both = await Promise.all([1, 2].map(() => call('POST', '/api/admin/webhooks', body)))
  t.same(both.map(({ statusCode }) => statusCode).sort(), [201, 409])
  t.ok(both.some((response) => response.json().code === 'too-many-webhooks'))
})

t.test('a deletion waits for changes that write a delivery only once no other can', async (t) => {
  const found = await anEndpoint(database)
  const { eventId, eventAt, expiresAt } = await aDelivery(database, found)
  const more = Array.from({ length: 10_001 }, () => ({
    ...{ endpointId: found.id, eventId, eventAt, expiresAt }
  }))
  for (let from = 0; from < more.length; from += 5000) {
    await db.insert(deliveries).values(more.slice(from, from + 5000))
  }
  t.match((await admin.call('GET', pathOf(found))).json(), { waiting: 10_000 })
  const ofEndpoint = eq(deliveries.endpointId, found.id)
  const deleted = await db.transaction(async (tx) => {
    // A new delivery locks its endpoint like this.
    await tx
      .select()
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.id, found.id))
      .for('key share')
    const response = admin.call('DELETE', pathOf(found))
    await until(async () => (await db.$count(deliveries, ofEndpoint)) === 0)
    t.same((await rowOf(found)).events, [], 'it gets no more')
    return { response }
  })
  t.equal((await deleted.response).statusCode, 204)
  t.equal(await rowOf(found), undefined)
})

t.test('a test message is signed, and the answer is returned', async (t) => {
  let status = 204
  const { url, received } = await aReceiver(t, () => status)
  const { secret, ...shown } = (await create(url)).json()
  const send = async () => (await admin.call('POST', `${pathOf(shown)}/test`)).json()
  t.same(await send(), { status: 204 })
  const [message] = received
  const headers = message?.headers as Record<string, string>
  t.match(new Webhook(secret).verify(message?.body ?? '', headers), { type: 'webhook.test' })
  status = 503
  t.same(await send(), { status: 503, error: 'status-503' })
  t.same(await db.$count(deliveries, eq(deliveries.endpointId, shown.id)), 0, 'nothing is stored')
  t.match((await admin.call('POST', `${pathOf({ id: admin.user.id })}/test`)).json(), {
    code: 'webhook-not-found'
  })
})
