import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../engine.ts'
import { PartitionProblem } from '../errors.ts'
import { withSpanCheck, endFrom } from './bound.ts'
import { withBriefLock } from './brief-lock.ts'
import type { Report } from './brief-lock.ts'
import { between, createMonth, createPart, fewStrays } from './months.ts'
import { boundCheck, countStrays, defaultPart, firstOfMonth, readParts } from './parts.ts'
import { activity } from '../schema/activity.ts'

/** Holds records that cannot stay in the default partition during a repair. */
const waiting = 'activity_waiting'
const strays = sql.identifier(defaultPart)

/**
 * Moves the records of the default partition into partitions of their months if they are few. If
 * they are many, the default partition itself becomes the partition of their time instead. Returns
 * the number of records that have left the default partition.
 */
export async function repair(db: Db, report: Report): Promise<number> {
  const before = await countStrays(db, fewStrays + 1)
  if (before === 0) return 0
  const adopted = before > fewStrays ? await adopt(db, report) : 0
  return adopted + (await withBriefLock(db, defaultPart, moveAll, report))
}

/** Puts back records that an interrupted repair has set aside, where no list shows them. */
export async function putBackLeft(db: Db, report: Report) {
  if (await isWaiting(db)) await withBriefLock(db, defaultPart, putBack, report)
}

async function moveAll(tx: Db) {
  await tx.execute(`lock table ${defaultPart} in access exclusive mode`)
  const count = await setAside(tx, sql`true`)
  const month = sql<Date>`date_trunc('month', at, 'UTC')`.mapWith(activity.at)
  const months = await tx.selectDistinct({ month }).from(sql`${sql.identifier(waiting)}`)
  for (const { month } of months) await createMonth(tx, 'activity', month)
  await putBack(tx)
  return count
}

async function setAside(tx: Db, which: SQL) {
  await tx.execute(`create table ${waiting} (like activity)`)
  await tx.execute(
    sql`with moved as (delete from ${strays} where ${which} returning *)
      insert into ${sql.identifier(waiting)} select * from moved`
  )
  return tx.$count(sql`${sql.identifier(waiting)}`)
}

async function isWaiting(db: Db) {
  const [found] = await db
    .select({ isThere: sql<boolean>`to_regclass(${waiting}) is not null` })
    .from(sql`(select) as one`)
  return found?.isThere === true
}

async function putBack(tx: Db) {
  if (!(await isWaiting(tx))) return
  await tx.execute(`insert into activity select * from ${waiting}`)
  await tx.execute(`drop table ${waiting}`)
}

/** Records of another time, which a wrong clock has written, are not listed while this runs. */
async function adopt(db: Db, report: Report) {
  const ends = ((await readParts(db)) ?? []).map(({ to }) => to?.getTime() ?? 0)
  const [from, to] = [new Date(Math.max(0, ...ends)), await endFrom(db)]
  const [first, last] = [from.toISOString(), to.toISOString()]
  const which = sql`at < ${first}::timestamptz or at >= ${last}::timestamptz`
  await withBriefLock(db, defaultPart, (tx) => setAsideFew(tx, which), report)
  const count = await db.$count(sql`${strays}`)
  try {
    const swapped = () => withBriefLock(db, defaultPart, (tx) => swap(tx, from, to), report)
    await withSpanCheck(db, defaultPart, { from, to }, swapped, report)
  } finally {
    await withBriefLock(db, defaultPart, putBack, report)
  }
  return count
}

async function setAsideFew(tx: Db, which: SQL) {
  const [{ many } = { many: false }] = await tx
    .select({ many: sql<boolean>`count(*) > ${fewStrays}` })
    .from(sql`(select from ${strays} where ${which} limit ${fewStrays + 1}) as found`)
  if (many) {
    throw new PartitionProblem(
      'records-of-another-time',
      `More than ${fewStrays} records in ${defaultPart} have a time before the newest partition ` +
        'or more than a month ahead. Look at their times, and create partitions for them yourself.'
    )
  }
  await setAside(tx, which)
}

async function swap(tx: Db, from: Date, to: Date) {
  const last = firstOfMonth(to, -1).toISOString().slice(0, 7).replace('-', '_')
  const name = `activity_until_${last}`
  await tx.execute('lock table only activity in access exclusive mode')
  await tx.execute(`alter table activity detach partition ${defaultPart}`)
  await tx.execute(`alter table ${defaultPart} rename to ${name}`)
  const range = between(from, to)
  await tx.execute(`alter table activity attach partition ${name} for values from ${range}`)
  await tx.execute(`alter table ${name} drop constraint ${boundCheck}`)
  await createPart(tx, 'activity', defaultPart, 'default')
}
