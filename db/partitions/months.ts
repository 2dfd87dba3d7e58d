import { sql } from 'drizzle-orm'
import type { Db } from '../engine.ts'
import { databaseCode, PartitionProblem } from '../errors.ts'
import { withBriefLock } from './brief-lock.ts'
import type { Report } from './brief-lock.ts'
import { readTime } from '../time.ts'
import { countStrays, defaultPart, firstOfMonth, readParts } from './parts.ts'
import { copyPrivileges } from './privileges.ts'

/** The number of months that are created after the current one. */
const monthsAhead = 12
/**
 * With more records in the default partition, looking through them for those of a new month would
 * lock it for too long.
 */
export const fewStrays = 5000
/** SQLSTATE check_violation: the default partition has records of the new month. */
const occupied = '23514'
/** SQLSTATE invalid_object_definition: another partition has a part of the month. */
const overlapping = '42P17'

/**
 * Creates the missing months up to a year ahead, and returns their names. A month whose records are
 * in the default partition is left out; `repair` creates it.
 */
export async function createMonths(db: Db, report: Report): Promise<string[]> {
  const parts = await readParts(db)
  if (!parts) return []
  const now = await readTime(db)
  const missing = monthsFrom(now).filter(
    (month) => !parts.some(({ from, to }) => to && month < to && (!from || month >= from))
  )
  const created: string[] = []
  if (missing.length === 0 || (await countStrays(db, fewStrays + 1)) > fewStrays) return created
  for (const month of missing) {
    try {
      const work = (tx: Db) => createMonth(tx, 'activity', month)
      created.push(await withBriefLock(db, defaultPart, work, report))
    } catch (error) {
      if (databaseCode(error) !== occupied) throw error
    }
  }
  return created
}

export const monthsFrom = (now: Date) =>
  Array.from({ length: monthsAhead + 1 }, (_, n) => firstOfMonth(now, n))

/**
 * Creates the partition of a month, with the privileges of `activity`, and returns its name.
 * @throws PartitionProblem where a partition that somebody created covers a part of the month
 */
export async function createMonth(tx: Db, parent: string, month: Date) {
  const name = `activity_${month.toISOString().slice(0, 7).replace('-', '_')}`
  const bound = `for values from ${between(month, firstOfMonth(month, 1))}`
  try {
    await createPart(tx, parent, name, bound)
  } catch (error) {
    if (databaseCode(error) !== overlapping) throw error
    throw new PartitionProblem(
      'overlapping-partition',
      `${name} cannot be created, because another partition covers a part of its month. Create ` +
        'partitions for the rest of that month yourself.'
    )
  }
  return name
}

export const between = (from: Date, to: Date) =>
  `('${from.toISOString()}') to ('${to.toISOString()}')`

export async function createPart(tx: Db, parent: string, name: string, bound: string) {
  await tx.execute(`create table ${name} partition of ${parent} ${bound}`)
  await copyPrivileges(tx, 'activity', name)
  await tx.execute(`analyze ${name}`) // the planner assumes ten pages of a table it does not know
}

export interface Retention {
  /** Records older than this are deleted. */
  days: number
  /** False when the number is not that of the servers: only empty months are dropped. */
  certain: boolean
}

/**
 * Drops the partitions whose records are all older than the retention period, and returns their
 * names, and those that were kept because the period is not certain.
 */
export async function dropOldParts(db: Db, { days, certain }: Retention, report: Report) {
  const limit = (await readTime(db)).getTime() - days * 86_400_000
  const dropped: string[] = []
  const kept: string[] = []
  for (const { name, to } of (await readParts(db)) ?? []) {
    if (!to || to.getTime() > limit) continue
    if (certain || (await isEmpty(db, name))) {
      const drop = sql`drop table ${sql.identifier(name)}`
      await withBriefLock(db, name, (tx) => tx.execute(drop), report)
      dropped.push(name)
    } else kept.push(name)
  }
  return { dropped, kept }
}

async function isEmpty(db: Db, name: string) {
  const rows = await db
    .select({ one: sql`1` })
    .from(sql`${sql.identifier(name)}`)
    .limit(1)
  return rows.length === 0
}
