import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { epochOf, momentColumns } from '../../../db/epochs.ts'
import { epochsMissing } from '../../../db/errors.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import { flags } from '../../../db/schema/flags.ts'
import type { FlagRow } from '../../../db/schema/flags.ts'
import { keepFresh } from '../freshness/keep-fresh.ts'
import type { Snapshots } from '../freshness/snapshots.ts'

export type Flags = ReadonlyMap<string, FlagRow>

export interface FlagState {
  flags: Flags
  /** The time of the database, in milliseconds: all instances begin a rule at the same moment. */
  now: number
}

/** Returns the current flags, which are read again only after a change, and the time. */
export function createFlagCache(db: Db, snapshots: Snapshots): () => Promise<FlagState> {
  const all = {}
  const keep = keepFresh<typeof all, Flags, string>(snapshots, {
    capacity: 1,
    isCurrent: (epoch, { values }, done) => done(undefined, values[flagsScope] === epoch),
    async load() {
      // One statement, so that flags and their epoch belong to the same state.
      const rows = await db
        .select({ ...momentColumns, epoch: epochOf(flagsScope), flag: flags })
        .from(sql`(select 1) as one`)
        .leftJoin(flags, sql`true`)
        .orderBy(flags.key)
      const [first] = rows
      if (typeof first?.epoch !== 'string') throw epochsMissing() // a broken database
      const value = new Map(rows.flatMap(({ flag }) => (flag ? [[flag.key, flag]] : [])))
      return { found: new Map([[all, { value, tags: first.epoch }]]), now: Number(first.now) }
    }
  })
  return () =>
    new Promise((resolve, reject) =>
      keep(all, (error, flags, now) => {
        if (!flags || now === undefined) return reject(error)
        resolve({ flags, now })
      })
    )
}
