import { sql } from 'drizzle-orm'
import type { Db } from '../engine.ts'
import { withBriefLock } from './brief-lock.ts'
import type { Report } from './brief-lock.ts'
import { readTime } from '../time.ts'
import { boundCheck, firstOfMonth } from './parts.ts'

/**
 * Where a partition ends when a table in use becomes that partition: at the start of the month
 * after next. If the command is interrupted, records are accepted for at least four more weeks.
 */
export const endFrom = async (db: Db) => firstOfMonth(await readTime(db), 2)

/**
 * Adds a check constraint that the table has only records of this span, then runs `work`, which can
 * attach the table without a scan. Removes the constraint when `work` fails.
 */
export async function withSpanCheck(
  db: Db,
  table: string,
  { from, to }: { from?: Date; to: Date },
  work: () => Promise<void>,
  report: Report
) {
  await removeBound(db, table, report)
  const end = to.toISOString()
  const condition = `at < '${end}'${from ? ` and at >= '${from.toISOString()}'` : ''}`
  const add = `alter table ${table} add constraint ${boundCheck} check (${condition}) not valid`
  await withBriefLock(db, table, (tx) => tx.execute(add), report)
  try {
    report(
      'Checking the time of every record. New records are accepted meanwhile, but from ' +
        `${end.slice(0, 10)} on they are rejected: do not leave this unfinished.`
    )
    await db.execute(`alter table ${table} validate constraint ${boundCheck}`)
    await work()
  } catch (error) {
    await removeBound(db, table, report)
    throw error
  }
}

/** Removes the constraint that an interrupted command has left. */
export async function removeBound(db: Db, table: string, report: Report) {
  const found = await db
    .select({ name: sql`conname` })
    .from(sql`pg_constraint`)
    .where(sql`conname = ${boundCheck} and conrelid = to_regclass(${table})`)
  if (found.length === 0) return
  const drop = `alter table ${table} drop constraint ${boundCheck}`
  await withBriefLock(db, table, (tx) => tx.execute(drop), report)
}
