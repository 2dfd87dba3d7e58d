import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import type { OutboxWorkerOptions } from '../../../src/domain/mail/worker.ts'
import { createSealing } from '../../../src/domain/sealing.ts'
import { onPglite, testDatabaseUrl, until } from '../../support/app.ts'
import { aMail, change, enqueueMail, makeDue, rowOf, startWorker } from './parts.ts'
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

const sent = { outcome: 'sent' } as const
const hour = 3_600_000

const aWorker = (t: Test, send: Send, options: Partial<OutboxWorkerOptions> = {}) =>
  startWorker(t, { db, send, ...options })
const inState = (state: 'sent' | 'pending' | 'dead') => db.$count(outbox, eq(outbox.state, state))
const enqueueMany = (count: number) =>
  Promise.all(Array.from({ length: count }, () => enqueueMail(db)))

t.test('several workers deliver every mail once, and none at the same time', async (t) => {
  const ids = await enqueueMany(100)
  const delivered: string[] = []
  const underWay = new Set<string>()
  const send: Send = async ({ id }) => {
    t.notOk(underWay.has(id))
    underWay.add(id)
    await db.execute(sql`select 1`)
    underWay.delete(id)
    delivered.push(id)
    return sent
  }
  const handles = onPglite ? [db, db, db] : [db, await open(), await open()]
  for (const each of handles) aWorker(t, send, { db: each })
  await until(async () => (await inState('sent')) === ids.length)
  t.same(delivered.toSorted(), ids.toSorted())
})

t.test('a worker writes out what was sealed', async (t) => {
  const id = await enqueueMail(db, { payload: aMail('ada@example.com', 'a-token') })
  const seen: unknown[] = []
  const { worker, output } = aWorker(t, async (mail) => {
    seen.push(mail)
    return sent
  })
  await until(() => worker.totals.sent === 1)
  t.match(seen, [{ id, to: 'ada@example.com', text: /token=a-token/ }])
  t.match(output(), id)
  t.notMatch(output(), 'ada@example.com')
})

t.test('a worker has ten deliveries under way at most, and goes on as they end', async (t) => {
  await enqueueMany(35)
  let underWay = 0
  let most = 0
  const end: (() => void)[] = []
  // Its second look would come in an hour: the backlog is worked off in the first one.
  aWorker(
    t,
    async () => {
      most = Math.max(most, ++underWay)
      await new Promise<void>((resolve) => end.push(resolve))
      underWay -= 1
      return sent
    },
    { interval: hour }
  )
  await until(() => underWay === 10)
  t.equal(await db.$count(outbox, sql`lease is not null`), 10, 'others can have the rest')
  await until(async () => {
    end.shift()?.()
    return (await inState('sent')) === 35
  })
  t.equal(most, 10)
})

t.test('nothing is claimed while the instance is not ready', async (t) => {
  const id = await enqueueMail(db)
  let [ready, asked] = [false, 0]
  const isReady = () => {
    asked += 1
    return ready
  }
  aWorker(t, async () => sent, { isReady })
  await until(() => asked > 3)
  t.match(await rowOf(db, id), { state: 'pending', attempts: 0 })
  ready = true
  await until(async () => (await rowOf(db, id)).state === 'sent')
})

t.test('a failed delivery is repeated when its time has come, and the log says why', async (t) => {
  const id = await enqueueMail(db)
  const outcomes = [{ outcome: 'temporary', error: 'smtp 451' } as const]
  const { worker, output } = aWorker(t, async () => outcomes.shift() ?? sent)
  await until(async () => (await rowOf(db, id)).lastError === 'smtp 451')
  t.match(await rowOf(db, id), { state: 'pending', attempts: 1, lease: null })
  await makeDue(db, id)
  await until(async () => (await rowOf(db, id)).state === 'sent')
  await until(() => worker.totals.sent === 1)
  t.match(worker.totals, { sent: 1, retried: 1, dead: 0 })
  t.match(output(), /"error":"smtp 451".*will be tried again/)
})

t.test('a delivery that throws counts as a temporary failure', async (t) => {
  const id = await enqueueMail(db)
  const { worker, output } = aWorker(t, async () => {
    throw new Error('a mistake in a template')
  })
  await until(() => worker.totals.retried === 1)
  t.match(await rowOf(db, id), { state: 'pending', lastError: 'internal' })
  t.match(output(), 'a mistake in a template')
})

t.test('a delivery that takes too long is cut short and repeated', async (t) => {
  const id = await enqueueMail(db)
  let wasAborted = false
  const { worker } = aWorker(
    t,
    (_, signal) =>
      new Promise(() => {
        const noteAbort = () => (wasAborted = true)
        if (signal?.aborted) noteAbort()
        signal?.addEventListener('abort', noteAbort)
      }),
    { deliveryLimit: 10 }
  )
  await until(() => worker.totals.retried === 1)
  await until(() => wasAborted)
  t.match(await rowOf(db, id), { state: 'pending', lastError: 'timeout', lease: null })
})

t.test('stopping claims no more and waits for running deliveries', async (t) => {
  const id = await enqueueMail(db)
  let end: (() => void) | undefined
  const { worker } = aWorker(
    t,
    () =>
      new Promise((resolve) => {
        end = () => resolve(sent)
      }),
    { grace: hour }
  )
  await until(() => end !== undefined)
  let stopped = false
  const stopping = worker.stop().then(() => {
    stopped = true
  })
  const later = await enqueueMail(db)
  t.equal(stopped, false)
  end?.()
  await stopping
  t.match(await rowOf(db, id), { state: 'sent' })
  t.match(await rowOf(db, later), { state: 'pending', attempts: 0 })
})

t.test('stopping gives back the leases of deliveries that do not end', async (t) => {
  const ids = await enqueueMany(12)
  let begun = 0
  const { worker } = aWorker(t, () => {
    begun += 1
    return new Promise(() => {})
  })
  await until(() => begun === 10)
  await worker.stop()
  for (const id of ids) {
    const { due, ...row } = await rowOf(db, id)
    t.match(row, { state: 'pending', attempts: 0, lease: null, lastError: null })
    t.ok(due <= 0, 'due at once')
  }
  t.equal(worker.totals.retried, 0)
})

t.test('a mail that another key sealed waits for an instance that has the key', async (t) => {
  const id = await enqueueMail(db)
  const other = createSealing([{ kid: 'k2', secret: randomBytes(32) }])
  const stranger = aWorker(t, async () => t.fail('not opened') as never, { sealing: other })
  await until(() => stranger.worker.totals.retried === 1)
  t.match(await rowOf(db, id), { state: 'pending', lastError: 'sealed' })
  await stranger.worker.stop()
  aWorker(t, async () => sent)
  await makeDue(db, id)
  await until(async () => (await rowOf(db, id)).state === 'sent')
})

t.test('an expired mail is not delivered', async (t) => {
  const id = await enqueueMail(db)
  await change(db, id, { expiresAt: sql`now() - interval '1 second'` })
  const { worker } = aWorker(t, async () => t.fail('delivered') as never)
  await until(() => worker.totals.dropped === 1)
  t.match(await rowOf(db, id), { state: 'dropped', payload: null })
})

t.test('an outbox that cannot be read is looked at again', async (t) => {
  await db.execute(sql`alter table outbox rename to elsewhere`)
  const { output } = aWorker(t, async () => sent)
  await until(() => output().includes('outbox not read'))
  await db.execute(sql`alter table elsewhere rename to outbox`)
  const id = await enqueueMail(db)
  await until(async () => (await rowOf(db, id)).state === 'sent')
})
