import { sql } from 'drizzle-orm'
import type { Db } from '../engine.ts'
import type { Report } from './brief-lock.ts'

const interval = 10_000

/** Runs `work`, which builds an index, and reports its progress every ten seconds. */
export async function watched(db: Db, what: string, work: () => Promise<void>, report: Report) {
  report(`${what}.`)
  const timer = setInterval(() => {
    readProgress(db).then(
      (percent) => report(`${what}: ${percent ?? 0} %.`),
      () => {} // the work itself reports an unavailable database
    )
  }, interval)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
}

/** Progress of the current phase: reading, then sorting, then checking. */
async function readProgress(db: Db) {
  const done = sql`coalesce(nullif(tuples_done, 0), blocks_done)`
  const total = sql`coalesce(nullif(tuples_total, 0), nullif(blocks_total, 0))`
  const [row] = await db
    .select({ percent: sql<number | null>`round(100.0 * ${done} / ${total})::int` })
    .from(sql`pg_stat_progress_create_index`)
    .where(sql`relid = to_regclass('activity')`)
  return row?.percent
}
