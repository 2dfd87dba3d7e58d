import { sql } from 'drizzle-orm'
import type { Db } from '../engine.ts'
import { withBriefLock } from './brief-lock.ts'
import type { Report } from './brief-lock.ts'
import { readTime } from '../time.ts'
import { boundCheck, firstOfMonth } from './parts.ts'

/**
 * The end of a partition that is made of a table in use: the first day of the month after the next
 * one. After an interrupted command, at least four weeks remain before records are rejected.
 */
export const endFrom = async (db: Db) => firstOfMonth(await readTime(db), 2)

/**
 * Runs `work` while a check proves that the table has only records of this span, so that it can be
 * attached without being read. The check is removed when `work` fails.
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

/** Removes the check that an interrupted command has left. */
export async function removeBound(db: Db, table: string, report: Report) {
  const found = await db
    .select({ name: sql`conname` })
    .from(sql`pg_constraint`)
    .where(sql`conname = ${boundCheck} and conrelid = to_regclass(${table})`)
  if (found.length === 0) return
  const drop = `alter table ${table} drop constraint ${boundCheck}`
  await withBriefLock(db, table, (tx) => tx.execute(drop), report)
}
