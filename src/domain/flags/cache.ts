import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { epochOf, momentColumns } from '../../../db/epochs.ts'
import { epochsMissing } from '../../../db/errors.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import { flags } from '../../../db/schema/flags.ts'
import type { FlagRow } from '../../../db/schema/flags.ts'
import { segments } from '../../../db/schema/segments.ts'
import { keepFresh } from '../freshness/keep-fresh.ts'
import type { Snapshots } from '../freshness/snapshots.ts'
import { segmentsByKey } from './conditions.ts'
import type { Segments } from './conditions.ts'

export type Flags = ReadonlyMap<string, FlagRow>

/** Flags and the segments that they name, of the same state of the database. */
interface Kept {
  flags: Flags
  segments: Segments
}

export interface FlagState extends Kept {
  /** The time of the database, in milliseconds: all instances begin a rule at the same moment. */
  now: number
}

/** Returns the time, and the current flags and segments, which are read again after a change. */
export function createFlagCache(db: Db, snapshots: Snapshots): () => Promise<FlagState> {
  const all = {}
  const keep = keepFresh<typeof all, Kept, string>(snapshots, {
    capacity: 1,
    isCurrent: (epoch, { values }, done) => done(undefined, values[flagsScope] === epoch),
    async load() {
      // One statement, so that all of it and its epoch belong to the same state.
      const rows = await db
        .select({ ...momentColumns, epoch: epochOf(flagsScope), flag: flags, segment: segments })
        .from(sql`(select 1) as one`)
        .leftJoin(flags, sql`true`)
        .fullJoin(segments, sql`false`)
        .orderBy(flags.key)
      const [first] = rows
      if (typeof first?.epoch !== 'string') throw epochsMissing() // a broken database
      const value = {
        flags: new Map(rows.flatMap(({ flag }) => (flag ? [[flag.key, flag]] : []))),
        segments: segmentsByKey(rows.flatMap(({ segment }) => segment ?? []))
      }
      return { found: new Map([[all, { value, tags: first.epoch }]]), now: Number(first.now) }
    }
  })
  return () =>
    new Promise((resolve, reject) =>
      keep(all, (error, kept, now) => {
        if (!kept || now === undefined) return reject(error)
        resolve({ ...kept, now })
      })
    )
}
