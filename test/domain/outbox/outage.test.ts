import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { onPglite, testDatabaseUrl, until } from '../../support/app.ts'
import { enqueueMail, startWorker } from './parts.ts'
import type { Send } from './parts.ts'

const url = await testDatabaseUrl(t)
const open = async () => {
  const database = await openDatabase(url, { poolMax: 5 })
  t.teardown(() => database.close())
  return database.db
}
const db = await open()
t.beforeEach(async () => {
  await db.delete(outbox)
})

const hour = 3_600_000
const enqueueMany = async (count: number) => {
  for (let i = 0; i < count; i++) await enqueueMail(db)
}
const inState = (state: 'sent' | 'pending') => db.$count(outbox, eq(outbox.state, state))

/** Deliveries to a mail server that can be down, and how many there were and are. */
function aServer() {
  const server = { isUp: false, deliveries: 0, underWay: 0, most: 0 }
  const send: Send = async () => {
    server.deliveries += 1
    server.underWay += 1
    server.most = Math.max(server.most, server.underWay)
    await db.execute(sql`select 1`)
    server.underWay -= 1
    return server.isUp ? { outcome: 'sent' } : { outcome: 'unreachable', error: 'connect' }
  }
  return { server, send }
}

t.test('an outage of the mail server does not count against any mail', async (t) => {
  await enqueueMany(30)
  const { server, send } = aServer()
  let looks = 0
  const isReady = () => ++looks > 0
  const { worker, output } = startWorker(t, { db, send, isReady, pause: hour })
  await until(() => worker.totals.unreachable > 0)
  await until(async () => (await db.$count(outbox, sql`lease is not null`)) === 0)
  const { deliveries } = server
  t.ok(deliveries <= 10, 'those that were under way')
  looks = 0
  await until(() => looks > 5)
  t.equal(server.deliveries, deliveries, 'the others wait')
  const rows = await db.select().from(outbox)
  t.ok(rows.every(({ state, attempts }) => state === 'pending' && attempts === 0))
  t.equal(rows.filter(({ lastError }) => lastError === 'connect').length, deliveries)
  t.equal(
    await db.$count(outbox, sql`next_at <= now() and last_error is null`),
    30 - deliveries,
    'and stay due'
  )
  t.match(output(), /"error":"connect".*mail server not reached/)
  t.match(worker.totals, { unreachable: deliveries, retried: 0 })
})

t.test('one mail tries while an outage lasts, and then all are delivered', async (t) => {
  await enqueueMany(30)
  const { server, send } = aServer()
  const { worker } = startWorker(t, { db, send, pause: 20 })
  await until(() => worker.totals.unreachable >= 10)
  await until(() => server.underWay === 0)
  server.most = 0
  await until(() => worker.totals.unreachable >= 20)
  t.equal(server.most, 1)
  t.ok((await db.$count(outbox, sql`last_error is not null`)) > 10, 'not always the same mail')
  server.isUp = true
  await until(async () => (await inState('sent')) === 30)
  t.ok(server.most > 1, 'several at a time again')
  const attempts = await db.select({ attempts: outbox.attempts }).from(outbox)
  t.same(new Set(attempts.map((row) => row.attempts)), new Set([1]))
})

t.test('instances find out separately, and together deliver everything', async (t) => {
  await enqueueMany(40)
  const [healthy, broken] = [aServer(), aServer()]
  const first = startWorker(t, { db, send: broken.send, pause: hour })
  await until(() => first.worker.totals.unreachable > 0)
  healthy.server.isUp = true
  startWorker(t, { db: onPglite ? db : await open(), send: healthy.send, pause: hour })
  // The failed mail of the first worker is due again after its pause.
  await until(async () => {
    // A transaction, which is repeated when a worker has changed one of them meanwhile.
    await db.transaction((tx) =>
      tx
        .update(outbox)
        .set({ nextAt: sql`now()` })
        .where(sql`last_error = 'connect' and lease is null`)
    )
    return (await inState('sent')) === 40
  })
  t.equal(await inState('pending'), 0)
})
