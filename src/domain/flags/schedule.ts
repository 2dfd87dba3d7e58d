import { asc, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { momentColumns } from '../../../db/epochs.ts'
import { flags } from '../../../db/schema/flags.ts'
import { findFlag } from './flags.ts'
import { changesAhead } from './times.ts'

/** The time of the database, in milliseconds. */
export async function readTime(db: Db) {
  const [row] = await db.select(momentColumns).from(sql`(select 1) as one`)
  if (!row) throw new Error('there is no time')
  return Number(row.now)
}

/** What changes at which time in all flags, or in one. Throws `flag-not-found`. */
export async function listSchedule(db: Db, key?: string) {
  const found =
    key === undefined
      ? await db.select().from(flags).orderBy(asc(flags.key))
      : [await findFlag(db, key)]
  const now = await readTime(db)
  return found
    .flatMap((flag) => changesAhead(flag, now).map((each) => ({ key: flag.key, ...each })))
    .sort((a, b) => a.at.getTime() - b.at.getTime())
}
