import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import t from 'tap'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { throttle } from '../../../db/schema/throttle.ts'
import { expiredRows, oldActivity } from '../../../src/domain/jobs/sweep.ts'
import { deleteOld } from '../../../src/domain/jobs/delete-batches.ts'
import type { Batch } from '../../../src/domain/jobs/delete-batches.ts'
import { onPglite, testDatabase, testDatabaseUrl } from '../../support/app.ts'

t.test('rows that are kept are read once, also when many are as old as each other', async (t) => {
  const { db } = await testDatabase(t)
  const doneAt = sql`date_trunc('day', now()) - interval '10 days'`
  const mail = { kind: 'recovery', payload: Buffer.of(1), doneAt } as const
  const expiresAt = new Date()
  await db
    .insert(outbox)
    .values(
      Array.from({ length: 5 }, () => ({ id: uuid(), ...mail, state: 'dead' as const, expiresAt }))
    )
  await db.insert(outbox).values({ id: uuid(), ...mail, state: 'sent', payload: null, expiresAt })

  const deleted = []
  let next: Batch['next']
  do {
    const batch = await deleteOld(db, expiredRows['old mail'], 2, next)
    deleted.push(batch.deleted)
    next = batch.next
  } while (next)
  t.same(deleted, [0, 0, 1, 0])
  t.equal(await db.$count(outbox, eq(outbox.state, 'dead')), 5)
})

t.test('rows with binary keys that are as old as each other are all deleted', async (t) => {
  const { db } = await testDatabase(t)
  const tat = sql`date_trunc('day', now()) - interval '10 days' + interval '1 microsecond'`
  await db
    .insert(throttle)
    .values([1, 2, 3, 4, 5].map((byte) => ({ bucket: Buffer.alloc(32, byte), tat, fails: 1 })))
  const deleted = []
  let next: Batch['next']
  do {
    const batch = await deleteOld(db, expiredRows['unused throttles'], 2, next)
    deleted.push(batch.deleted)
    next = batch.next
  } while (next)
  t.same(deleted, [2, 2, 1])
})

t.test(
  'every sweep finds its rows in an index, and a later batch begins where one ended',
  { skip: onPglite && 'the statements are captured from the other driver' },
  async (t) => {
    const client = postgres(await testDatabaseUrl(t), { max: 1 })
    t.teardown(() => client.end())
    await client`set enable_seqscan = off`
    await client`set enable_bitmapscan = off`
    await client`set enable_sort = off`
    let sent: { query: string; params: unknown[] } | undefined
    const logQuery = (query: string, params: unknown[]) => {
      sent = { query, params }
    }
    const db = drizzle({ client, logger: { logQuery } }) as unknown as Db
    const [id, bytes] = [uuid(), Buffer.of(0)]
    for (const [index, rows, key] of [
      ['activity_at', oldActivity(180), id],
      ['throttle_quick', expiredRows['unused throttles'], bytes],
      ['throttle_slow', expiredRows['forgotten throttles'], bytes],
      ['outbox_done', expiredRows['old mail'], id],
      ['deliveries_done', expiredRows['old deliveries'], id],
      ['tokens_expires', expiredRows['expired tokens'], bytes],
      ['registrations_expires', expiredRows['expired registrations'], id],
      ['pending_logins_expires', expiredRows['expired logins'], bytes],
      ['spent_challenges_expires', expiredRows['expired challenges'], bytes],
      ['sessions_ended', expiredRows['dead sessions'], id]
    ] as const) {
      await deleteOld(db, rows, 1000, { at: '2026-01-01T00:00:00Z', key })
      const lines = await client.unsafe(`explain ${sent?.query}`, sent?.params as never[])
      const plan = lines.map((line) => String(line['QUERY PLAN'])).join('\n')
      const [read = '', deleted = ''] = plan.split('CTE deleted')
      t.match(read, new RegExp(`Index (Only )?Scan using ${index} `))
      t.match(read, /Index Cond: .* < .* AND .* >=? /, `${index}: both ends of the range`)
      t.match(
        deleted,
        /Index Scan using \w+_(pkey|at) .*\s+Index Cond: .*(= ANY|>= .* AND .*<=)/,
        `${index}: by key, or by the time that the batch spans`
      )
    }
  }
)
