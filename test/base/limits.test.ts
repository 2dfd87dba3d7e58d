import t from 'tap'
import { tooMany } from '../../src/schemas/problem.ts'
import { aCaller, aRole, testDatabase } from '../support/app.ts'
import type { Test } from 'tap'
import type { Database } from '../../db/client.ts'
import { appWith, throttledOwn } from './own-app.ts'

const definition = {
  limits: { orders: { burst: 2, seconds: 3600 }, other: { burst: 1, seconds: 1 } }
}

const aShop = (t: Test, database?: Database) =>
  appWith(t, definition, {
    ...(database && { database }),
    config: { SECRET_KEYS: [{ kid: 'k', secret: Buffer.alloc(32, 1) }] },
    async routes(app) {
      app.get('/orders', {
        config: { access: 'optional' },
        schema: {
          operationId: 'order',
          response: { 204: { type: 'null', description: 'Ordered' }, 429: tooMany }
        },
        async handler(request) {
          await throttledOwn(request, 'orders')
        }
      })
    }
  })

t.test('a limit of the app counts for each user, whatever the address', async (t) => {
  const app = await aShop(t)
  const { call, user } = await aCaller(app)
  const order = async (as = call) => (await as('GET', '/api/orders')).statusCode
  t.same([await order(), await order(), await order()], [204, 204, 429])
  const refused = await call('GET', '/api/orders')
  t.match(refused.json(), { code: 'rate-limited', detail: /Try again in 60 minutes/ })
  t.match(refused.headers['retry-after'], /^3[56]\d\d$/)
  const other = await aCaller(app)
  t.equal(await order(other.call), 204, 'another user at the same address has their own')
  const admin = await aCaller(app, await aRole(app.database, 'activity:read'))
  const { items } = (
    await admin.call('GET', `/api/admin/activity?action=throttle.limited&actorId=${user.id}`)
  ).json()
  t.match(items, [{ details: { limit: 'orders', route: 'GET /api/orders' } }])
})

t.test('without a session it counts for the address', async (t) => {
  const app = await aShop(t)
  const order = async (remoteAddress: string) =>
    (await app.inject({ url: '/api/orders', remoteAddress })).statusCode
  const one = '203.0.113.7'
  t.same([await order(one), await order(one), await order(one)], [204, 204, 429])
  t.equal(await order('203.0.113.8'), 204)
})

t.test('instances share it, and a limit that is not declared is an error', async (t) => {
  const database = await testDatabase(t)
  const [first, second] = [
    await aShop(t, database),
    await aShop(t, { ...database, async close() {} })
  ]
  const { call, cookie } = await aCaller(first)
  await call('GET', '/api/orders')
  await call('GET', '/api/orders')
  const elsewhere = await second.inject({ url: '/api/orders', headers: { cookie } })
  t.equal(elsewhere.statusCode, 429)
  const request = { server: first, actor: { type: 'anonymous', source: 'api' } }
  await t.rejects(throttledOwn(request as never, 'nothing'), {
    message: 'There is no limit nothing. Declare it in defineApp: limits'
  })
})
