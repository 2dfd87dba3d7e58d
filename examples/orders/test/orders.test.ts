import assert from 'node:assert/strict'
import test from 'node:test'
import { aCaller, caughtMail, testApp, twoCallers } from 'portal/testing'

const app = await testApp(test)

test('an order is listed and exported for its user only', async () => {
  const [ada, bob] = await twoCallers(app)
  const placed = (await ada.call('POST', '/api/orders', { item: 'A lamp' })).json()
  assert.deepEqual((await ada.call('GET', '/api/orders')).json(), [placed])
  assert.deepEqual((await bob.call('GET', '/api/orders')).json(), [])
  const exported = (await ada.call('GET', '/api/user/export')).json()
  assert.equal(exported.app.orders[0].id, placed.id)
})

test('an order is shipped once, by users who may, and its user gets a mail', async () => {
  const ada = await aCaller(app)
  const shipper = await aCaller(app, { permissions: ['orders:ship', 'activity:read'] })
  const { id } = (await ada.call('POST', '/api/orders', { item: 'A lamp' })).json()
  const ship = async ({ call } = shipper) =>
    (await call('POST', `/api/orders/${id}/shipment`, { carrier: 'Hermes' })).statusCode
  assert.deepEqual([await ship(ada), await ship(), await ship()], [403, 200, 409])
  assert.match((await caughtMail(app, ada.user.email)).text, /Hermes brings you: A lamp/)
  const { items } = (await shipper.call('GET', `/api/admin/activity?targetId=${id}`)).json()
  assert.deepEqual(items[0].details, { carrier: 'Hermes' })
})

test('nobody registers from where the shop does not deliver', async () => {
  const payload = { email: 'eve@example.net', name: 'Eve', password: 'correct horse battery' }
  const refused = await app.inject({ method: 'POST', url: '/api/auth/register', payload })
  assert.equal(refused.json().code, 'registration-refused')
})
