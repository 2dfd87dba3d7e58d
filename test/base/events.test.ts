import { eq, isNull } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { deliveries, webhookEndpoints } from '../../db/schema/webhooks.ts'
import { transaction } from '../../db/transaction.ts'
import { faultsOf } from '../../src/base/faults.ts'
import { defineApp } from '../../src/base/definition.ts'
import { isUpToDate, syncRegistry } from '../../src/domain/access/registry.ts'
import { claim } from '../../src/domain/webhooks/claim.ts'
import type { AppEvent } from '../../src/domain/webhooks/worker.ts'
import { anonymous, testDatabase, until } from '../support/app.ts'
import { deliveriesTo, startWorker } from '../domain/webhooks/parts.ts'
import { appWith, recordOwn } from './own-app.ts'

const actions = { 'shop.order': { when: 'an order is placed' } }

t.test('functions of the app get events of the portal and of the app', async (t) => {
  const events: AppEvent[] = []
  const app = await appWith(t, {
    actions,
    on: {
      'auth.confirm-failed': async (event, { db }) => {
        await db.select({ id: users.id }).from(users).limit(1)
        events.push(event)
      },
      'shop.order': async (event) => {
        events.push(event)
      }
    }
  })
  await transaction(app.db, async (tx) => {
    await recordOwn(tx, anonymous, 'auth.confirm-failed', { reason: 'wrong' })
    await recordOwn(tx, anonymous, 'shop.order')
    await recordOwn(tx, anonymous, 'auth.recovery-request')
  })
  await until(() => events.length === 2)
  t.same(events.map(({ type }) => type).toSorted(), ['auth.confirm-failed', 'shop.order'])
  t.match(
    events.find(({ type }) => type === 'auth.confirm-failed'),
    { id: String, timestamp: String, data: { reason: 'wrong', actorType: 'anonymous' } }
  )
})

t.test('a function that fails or hangs is called again', async (t) => {
  const { db, ...database } = await testDatabase(t)
  const on = { 'shop.order': async () => {} }
  const definition = defineApp({ actions, on })
  await database.migrate((tx) => syncRegistry(tx, definition))
  const answers = [
    () => Promise.reject(new Error('not now')),
    () => new Promise<void>(() => {}),
    () => Promise.resolve()
  ]
  const ids: string[] = []
  const { worker, lines } = startWorker(t, {
    db,
    functionLimit: 100,
    functions: {
      'shop.order': async ({ id }) => {
        ids.push(id)
        await answers.shift()?.()
      }
    }
  })
  await transaction(db, (tx) => recordOwn(tx, anonymous, 'shop.order'))
  for (const [count, lastError] of ['exception', 'timeout'].entries()) {
    await until(() => worker.totals.retried === count + 1)
    t.match(await db.select().from(deliveries), [{ state: 'pending', lastError }])
    await db.update(deliveries).set({ nextAt: new Date() })
  }
  await until(() => worker.totals.delivered === 1)
  t.equal(new Set(ids).size, 1)
  t.equal(ids.length, 3)
  t.match(lines.join('\n'), 'a function of the app failed')
})

t.test('the endpoint of the functions follows the app, also in another version', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const aFunction = async () => {}
  const first = defineApp({ actions, on: { 'user.create': aFunction } })
  const second = defineApp({ actions, on: { 'user.create': aFunction, 'shop.order': aFunction } })
  const without = defineApp({ actions })
  const migrate = (own?: typeof first) => database.migrate((tx) => syncRegistry(tx, own))
  const heard = async () => {
    const rows = await db.select().from(webhookEndpoints).where(isNull(webhookEndpoints.url))
    return rows.map(({ events }) => events)
  }
  t.equal(await isUpToDate(database, first), false)
  await migrate(first)
  t.same(await heard(), [['user.create']])
  t.equal(await isUpToDate(database, first), true)
  t.equal(await isUpToDate(database, second as never), false)
  await migrate(second as never)
  t.same(await heard(), [['shop.order', 'user.create']])
  t.equal(await isUpToDate(database, first), true, 'an older instance beside it')
  await migrate()
  t.same(await heard(), [['shop.order', 'user.create']], 'a portal without the app changes nothing')
  await migrate(without as never)
  t.same(await heard(), [])
})

t.test('only an instance that runs the app claims what its functions get', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const definition = defineApp({ actions, on: { 'shop.order': async () => {} } })
  await database.migrate((tx) => syncRegistry(tx, definition))
  await transaction(db, (tx) => recordOwn(tx, anonymous, 'shop.order'))
  const room = { limit: 20, resting: [], underWay: {} }
  t.same(await claim(db, { ...room, runsApp: false }), [])
  t.equal((await claim(db, { ...room, runsApp: true })).length, 1)
})

t.test('an event without a function waits for a version that has it', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const definition = defineApp({ actions, on: { 'shop.order': async () => {} } })
  await database.migrate((tx) => syncRegistry(tx, definition))
  const { worker } = startWorker(t, { db, functions: {} })
  await transaction(db, (tx) => recordOwn(tx, anonymous, 'shop.order'))
  await until(() => worker.totals.retried === 1)
  const [endpoint] = await db.select().from(webhookEndpoints)
  t.match(await deliveriesTo(db, endpoint?.id ?? ''), [{ lastError: 'no function' }])
  t.equal(endpoint?.failingSince, null)
  t.equal(await db.$count(deliveries, eq(deliveries.state, 'pending')), 1)
})

t.test('a function for an action that nobody declares is a mistake', async (t) => {
  const faulty = defineApp({ on: { 'user.creat': async () => {} } })
  t.match(faultsOf(faulty), [{ text: /^on: user\.creat is not an action\. Declare it/ }])
})
