import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import type { Db } from '../../../db/engine.ts'
import { jobs } from '../../../db/schema/jobs.ts'
import { claimJob } from '../../../src/domain/jobs/claim.ts'
import { testDatabase } from '../../support/app.ts'

t.test('exactly one of many instances claims a job, and none again before it is due', async (t) => {
  const { db } = await testDatabase(t)
  const claims = await Promise.all(Array.from({ length: 20 }, () => claimJob(db, 'sweep', 3000)))
  t.equal(claims.filter(Boolean).length, 1)
  t.notOk(await claimJob(db, 'sweep', 3000))
  t.ok(await claimJob(db, 'another', 3000))
  await db
    .update(jobs)
    .set({ beganAt: sql`now() - interval '3001 seconds'` })
    .where(eq(jobs.name, 'sweep'))
  t.ok(await claimJob(db, 'sweep', 3000), 'the instance that had it may have died with it')
})

const began = async (db: Db, name: string) =>
  (
    await db
      .select({ at: sql<string>`${jobs.beganAt}::text` })
      .from(jobs)
      .where(eq(jobs.name, name))
  )[0]?.at

t.test(
  'a renewed job stays with its instance, and its next run is counted from its start',
  async (t) => {
    const { db } = await testDatabase(t)
    const claim = await claimJob(db, 'sweep', 3000)
    const beginning = await began(db, 'sweep')
    t.equal(await claim?.keep(), true)
    t.ok(String(await began(db, 'sweep')) > String(beginning), 'others wait for longer')
    t.equal(await claim?.keep(), true)
    await claim?.finish()
    t.equal(await began(db, 'sweep'), beginning)
  }
)

t.test('a job claimed by another instance cannot be renewed, finished or released', async (t) => {
  const { db } = await testDatabase(t)
  const stalled = await claimJob(db, 'sweep', 3000)
  t.ok(await claimJob(db, 'sweep', 0))
  const taken = await began(db, 'sweep')
  t.equal(await stalled?.keep(), false)
  await stalled?.finish()
  await stalled?.release()
  t.equal(await began(db, 'sweep'), taken)
})

t.test('a released job can be claimed at once', async (t) => {
  const { db } = await testDatabase(t)
  const claim = await claimJob(db, 'sweep', 3000)
  await claim?.release()
  t.ok(await claimJob(db, 'sweep', 3000))
})
