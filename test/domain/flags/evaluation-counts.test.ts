import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import type { Db } from '../../../db/engine.ts'
import { flagEvaluations, flags } from '../../../db/schema/flags.ts'
import {
  createEvaluationCounts,
  readEvaluations
} from '../../../src/domain/flags/evaluation-counts.ts'
import { contextAt, contextOfVisitor, evaluateAll } from '../../../src/domain/flags/evaluation.ts'
import { createFlag, deleteFlag } from '../../../src/domain/flags/flags.ts'
import { deleteOldEvaluations } from '../../../src/domain/jobs/sweep.ts'
import { onPglite, operator, testDatabase, until } from '../../support/app.ts'
import { aFlag } from '../../support/flags.ts'
import { waitingForLocks } from '../../support/locks.ts'

const failed = (error: unknown) => {
  throw error
}
const storedBy = async (db: Db, key: string) => {
  const { variant, kind, count } = flagEvaluations
  const rows = await db
    .select({ variant, kind, count })
    .from(flagEvaluations)
    .where(eq(flagEvaluations.flagKey, key))
    .orderBy(variant, kind)
  return rows.map((row) => `${row.variant} ${row.kind} ${row.count}`)
}
const { db } = await testDatabase(t)
const newFlag = async (changes = {}) => (await createFlag(db, operator, aFlag(changes))).key

t.test('counts of all instances add up in one row for each variant and kind', async (t) => {
  const [key, other] = [await newFlag(), await newFlag()]
  const instances = [createEvaluationCounts(db, failed), createEvaluationCounts(db, failed)]
  for (let round = 0; round < 2; round++) {
    for (const { count } of instances) {
      count('single', [{ key, variant: 'on' }])
      count('bulk', [{ key, variant: 'on' }, { key: other }])
      count('bulk', [{ key, variant: 'off' }])
    }
    await Promise.all(instances.map(({ flush }) => flush()))
  }
  t.same(await storedBy(db, key), ['off bulk 4', 'on bulk 4', 'on single 4'])
  t.same(await storedBy(db, other), [' bulk 4'])
  await instances[0]?.flush()
  t.same(await storedBy(db, other), [' bulk 4'], 'nothing is written twice')
})

t.test('ten thousand targeting keys make no more rows than one', async (t) => {
  const { count, flush } = createEvaluationCounts(db, failed)
  const split = [
    { variant: 'on', weight: 50_000 },
    { variant: 'off', weight: 50_000 }
  ]
  const key = await newFlag({ rules: [{ when: {}, serve: { split } }] })
  const [flag] = await db.select().from(flags).where(eq(flags.key, key))
  if (!flag) throw new Error('no flag')
  for (let n = 0; n < 10_000; n++) {
    const caller = { ...contextOfVisitor(`visitor-${n}`, { attribute: n }), signedIn: true }
    const context = contextAt(caller, { segments: new Map(), now: 0 })
    count('bulk', evaluateAll(new Map([[key, flag]]), context).flags)
  }
  await flush()
  const rows = (await db.select().from(flagEvaluations)).filter(({ flagKey }) => flagKey === key)
  t.same(rows.map(({ variant }) => variant).toSorted(), ['off', 'on'])
  t.equal(
    rows.reduce((sum, { count }) => sum + count, 0),
    10_000
  )
})

t.test('more rows than a batch has are all stored', async (t) => {
  const { count, flush } = createEvaluationCounts(db, failed)
  const key = await newFlag()
  const variants = Array.from({ length: 1200 }, (_, n) => `variant-${n}`)
  count(
    'bulk',
    variants.map((variant) => ({ key, variant }))
  )
  await flush()
  t.equal((await storedBy(db, key)).length, 1200)
})

t.test(
  'counts that cannot be stored are reported, and added to those of the next flush',
  async (t) => {
    const errors: unknown[] = []
    const { count, flush } = createEvaluationCounts(db, (error) => errors.push(error))
    const key = await newFlag()
    count('single', [{ key, variant: 'on' }])
    await db.execute(sql`alter table flag_evaluations rename to elsewhere`)
    await flush()
    await flush()
    await db.execute(sql`alter table elsewhere rename to flag_evaluations`)
    t.equal(errors.length, 2)
    count('single', [{ key, variant: 'on' }])
    await flush()
    t.same(await storedBy(db, key), ['on single 2'])
  }
)

t.test('a deleted flag leaves no counts behind, and its key begins again at zero', async (t) => {
  const { count, flush } = createEvaluationCounts(db, failed)
  const key = await newFlag()
  count('single', [{ key, variant: 'on' }])
  await flush()
  t.same(await storedBy(db, key), ['on single 1'])
  count('single', [{ key, variant: 'on' }])
  await deleteFlag(db, operator, { key })
  await flush()
  t.same(await storedBy(db, key), [])
  await createFlag(db, operator, aFlag({ key }))
  await flush()
  t.match(await readEvaluations(db, { key, days: 90 }), { variants: [] })
})

if (!onPglite) {
  t.test('a flush that waits for the deletion of a flag stores nothing for it', async (t) => {
    const { count, flush } = createEvaluationCounts(db, failed)
    const [gone, kept] = [await newFlag(), await newFlag()]
    count('single', [{ key: gone }, { key: kept }])
    let flushing: Promise<void> | undefined
    await db.transaction(async (tx) => {
      await tx.delete(flags).where(eq(flags.key, gone))
      flushing = flush()
      await until(async () => (await waitingForLocks(db)) === 1)
    })
    await flushing
    t.same(await storedBy(db, gone), [])
    t.same(await storedBy(db, kept), [' single 1'])
  })

  t.test('a deletion waits for a flush, and deletes what it has stored', async (t) => {
    const { count, flush } = createEvaluationCounts(db, failed)
    const [gone, kept] = [await newFlag({ key: 'a-flag' }), await newFlag({ key: 'b-flag' })]
    count('single', [{ key: kept }])
    await flush()
    count('single', [{ key: gone }, { key: kept }])
    let changes: Promise<unknown> | undefined
    await db.transaction(async (tx) => {
      await tx.update(flagEvaluations).set({ count: 7 }).where(eq(flagEvaluations.flagKey, kept))
      const flushing = flush()
      await until(async () => (await waitingForLocks(db)) === 1)
      const deletion = deleteFlag(db, operator, { key: gone })
      changes = Promise.all([flushing, deletion])
      await Promise.race([changes, until(async () => (await waitingForLocks(db)) === 2), deletion])
    })
    await changes
    t.same(await storedBy(db, gone), [])
    t.same(await storedBy(db, kept), [' single 8'])
  })
}

t.test('evaluations are read by day, and kept for 90 days', async (t) => {
  const key = await newFlag()
  const day = (ago: number) => sql`(now() at time zone 'UTC')::date - ${ago}::int`
  const row = (ago: number, variant: string, kind: 'single' | 'bulk', count: number) => ({
    ...{ flagKey: key, day: day(ago), variant, kind, count }
  })
  await db
    .insert(flagEvaluations)
    .values([
      row(0, 'off', 'bulk', 3),
      row(0, '', 'single', 1),
      row(2, 'on', 'bulk', 180),
      row(2, 'on', 'single', 12),
      row(3, 'on', 'bulk', 7),
      row(89, 'on', 'bulk', 9_000_000_000),
      row(90, 'on', 'bulk', 1)
    ])
  const today = Date.parse(String((await readEvaluations(db, { key, days: 1 })).days[0]))
  const of = (ago: number) => new Date(today - ago * 86_400_000).toISOString().slice(0, 10)
  t.same(await readEvaluations(db, { key, days: 3 }), {
    key,
    days: [of(2), of(1), of(0)],
    variants: [
      { variant: 'on', single: [12, 0, 0], bulk: [180, 0, 0] },
      { variant: 'off', single: [0, 0, 0], bulk: [0, 0, 3] },
      { variant: null, single: [0, 0, 1], bulk: [0, 0, 0] }
    ]
  })
  const { days, variants } = await readEvaluations(db, { key, days: 90 })
  t.equal(days.length, 90)
  t.equal(days[0], of(89))
  t.equal(variants[0]?.bulk[0], 9_000_000_000)
  t.equal(await deleteOldEvaluations(db), 1)
  t.equal(await deleteOldEvaluations(db), 0)
  t.same((await readEvaluations(db, { key, days: 90 })).variants, variants)
  await t.rejects(readEvaluations(db, { key: 'no-such-flag', days: 3 }), { code: 'flag-not-found' })
})
