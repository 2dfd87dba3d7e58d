import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../db/engine.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { totp } from '../../db/schema/second-factors.ts'
import { webhookEndpoints } from '../../db/schema/webhooks.ts'
import { claim } from '../../src/domain/outbox/claim.ts'
import { enqueue, openPayload, sealPayload } from '../../src/domain/outbox/enqueue.ts'
import { completeDelivery } from '../../src/domain/outbox/complete-delivery.ts'
import { countSealed, createSealing, reseal } from '../../src/domain/sealing.ts'
import type { Sealing } from '../../src/domain/sealing.ts'
import { aUser, testDatabase } from '../support/app.ts'
import { anEndpoint } from '../support/webhooks.ts'
import { newSecret, sealSecret, secretsOf } from '../../src/domain/webhooks/signature.ts'
import { aMail, rowOf } from './outbox/parts.ts'

const database = await testDatabase(t)
const { db } = database
t.beforeEach(async () => {
  await db.delete(outbox)
})

const aKey = (kid: string) => ({ kid, secret: randomBytes(32) })
const [k1, k2, dropped] = [aKey('k1'), aKey('k2'), aKey('k0')]
const rotated = createSealing([k2, k1])
const payload = aMail('ada@example.com')
const enqueueMail = (sealing: Sealing) =>
  db.transaction((tx) => enqueue(tx, sealing, { kind: 'recovery', payload, expiresIn: 3600 }))

t.test('values are counted by the key that opens them', async (t) => {
  t.same(await countSealed(db, rotated), { current: 0, old: 0, unreadable: 0, locked: 0 })
  await enqueueMail(rotated)
  for (let i = 0; i < 2; i++) await enqueueMail(createSealing([k1]))
  for (let i = 0; i < 3; i++) await enqueueMail(createSealing([dropped]))
  t.same(await countSealed(db, rotated), { current: 1, old: 2, unreadable: 3, locked: 0 })
  const reused = createSealing([{ kid: 'k1', secret: randomBytes(32) }])
  t.same(
    await countSealed(db, reused),
    { current: 0, old: 0, unreadable: 6, locked: 0 },
    'an id used again'
  )
})

t.test('after resealing, the old key is no longer needed', async (t) => {
  const [old, current] = [await enqueueMail(createSealing([k1])), await enqueueMail(rotated)]
  const lost = await enqueueMail(createSealing([dropped]))
  const before = [await rowOf(db, current), await rowOf(db, lost)]
  t.same(await reseal(db, rotated), { resealed: 1, unreadable: 1 })
  const only = createSealing([k2])
  for (const id of [old, current]) {
    t.same(openPayload(only, id, (await rowOf(db, id)).payload), payload)
  }
  const after = [await rowOf(db, current), await rowOf(db, lost)]
  t.same(
    after.map((row) => row.payload),
    before.map((row) => row.payload)
  )
  t.same(await reseal(db, rotated), { resealed: 0, unreadable: 1 }, 'a second time')
})

t.test('more values than a batch holds are all resealed', async (t) => {
  const ids = Array.from({ length: 1001 }, () => uuid())
  const mail = {
    kind: 'recovery',
    expiresAt: sql`now() + interval '1 hour'`
  } as const
  const old = createSealing([k1])
  await db
    .insert(outbox)
    .values(ids.map((id) => ({ id, ...mail, payload: sealPayload(old, id, payload) })))
  t.same(await reseal(db, rotated), { resealed: ids.length, unreadable: 0 })
  t.match(await countSealed(db, createSealing([k2])), { current: ids.length, unreadable: 0 })
})

t.test('the secrets of authenticator apps are counted and resealed', async (t) => {
  const secret = randomBytes(20)
  const add = async (key: ReturnType<typeof aKey>) => {
    const { id: userId } = await aUser(database)
    await db.insert(totp).values({
      userId,
      secret: createSealing([key]).seal('totp', userId, secret),
      confirmedAt: new Date()
    })
    return userId
  }
  const [old, current] = [await add(k1), await add(k2)]
  const [lost, moved] = [await add(dropped), await add(k1)]
  await db
    .update(totp)
    .set({ secret: createSealing([k1]).seal('totp', old, secret) })
    .where(eq(totp.userId, moved))
  t.same(await countSealed(db, rotated), { current: 1, old: 1, unreadable: 2, locked: 2 })
  t.same(await reseal(db, rotated), { resealed: 1, unreadable: 2 })
  t.same(await countSealed(db, rotated), { current: 2, old: 0, unreadable: 2, locked: 2 })
  const only = createSealing([k2])
  const open = async (userId: string) => {
    const [row] = await db.select().from(totp).where(eq(totp.userId, userId))
    return row?.secret && only.open('totp', userId, row.secret)
  }
  t.same(await open(old), secret)
  t.same(await open(current), secret)
  t.equal(await open(lost), undefined)
  t.equal(await open(moved), undefined)
})

t.test('both secrets of a webhook are counted and resealed', async (t) => {
  const id = uuid()
  const old = createSealing([k1])
  const [secret, formerSecret] = [newSecret(), newSecret()]
  const found = await anEndpoint(database, {
    ...{ id, secret: sealSecret(old, id, secret) },
    formerSecret: sealSecret(old, id, formerSecret),
    formerUntil: new Date(Date.now() + 3_600_000)
  })
  const { old: before } = await countSealed(db, rotated)
  t.equal(before, 2)
  t.match(await reseal(db, rotated), { resealed: 2 })
  const [row = found] = await db.select().from(webhookEndpoints)
  t.same(secretsOf(createSealing([k2]), row), [secret, formerSecret])
  await db.delete(webhookEndpoints)
})

t.test('a mail that is sent after its payload was read stays without one', async (t) => {
  const id = await enqueueMail(createSealing([k1]))
  const send = async () => {
    const [row] = await claim(db, 1)
    return row && completeDelivery(db, row, { outcome: 'sent' })
  }
  /** Sends the mail just before the resealed payload is written. */
  const late = Object.create(db, {
    transaction: {
      value: async (...work: Parameters<typeof db.transaction>) => {
        t.equal(await send(), 'sent')
        return db.transaction(...work)
      }
    }
  }) as Db
  await reseal(late, rotated)
  t.match(await rowOf(db, id), { state: 'sent', payload: null })
})
