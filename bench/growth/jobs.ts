import { sql as part } from 'drizzle-orm'
import postgres from 'postgres'
import type { Sql } from 'postgres'
import type { Database } from '../../db/client.ts'
import { batchSize, expiredRows, oldActivity } from '../../src/domain/jobs/sweep.ts'
import { deleteOld } from '../../src/domain/jobs/delete-batches.ts'
import type { Batch, ExpiredRows } from '../../src/domain/jobs/delete-batches.ts'
import type { Measure } from './meter.ts'
import { times } from './portal.ts'

/**
 * Measures the deletion of old rows until a fifth of the table is gone, and then a vacuum: that is
 * when autovacuum begins by default.
 */
export async function measureJobs(measure: Measure, { db }: Database, sql: Sql, url: string) {
  // Has no deadline, and is measured because of its name.
  const vacuumer = postgres(url, {
    max: 1,
    idle_timeout: 0,
    connection: { application_name: 'portal vacuum' }
  })
  await vacuumer`select 1`
  const measureOne = async (
    name: 'oldRecord' | 'oldSession',
    table: 'activity' | 'sessions',
    rows: ExpiredRows
  ) => {
    const [row] = await sql<{ count: number }[]>`select count(*)::int from ${sql(table)}`
    const batches = Math.floor((row?.count ?? 0) / 5 / batchSize)
    let next: Batch['next']
    await measure(name, {
      items: times(batches),
      units: batchSize,
      writes: true,
      work: async () => {
        const batch = await deleteOld(db, rows, batchSize, next)
        next = batch.next
        if (batch.deleted < batchSize) throw new Error(`too few rows of ${table} are old`)
      },
      after: () => vacuumer`vacuum ${vacuumer(table)}`
    })
  }
  await measureOne('oldRecord', 'activity', oldActivity(140))
  await measureOne('oldSession', 'sessions', {
    ...expiredRows['dead sessions'],
    before: part`now() - interval '20 days'`
  })
  await vacuumer.end()
}
