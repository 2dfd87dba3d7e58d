import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { epochColumns } from '../../../db/epochs.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import { flags } from '../../../db/schema/flags.ts'
import type { FlagRow } from '../../../db/schema/flags.ts'
import { keepFresh } from '../freshness/keep-fresh.ts'
import type { Snapshots } from '../freshness/keep-fresh.ts'
import { snapshotOf } from '../freshness/read-epochs.ts'

export type Flags = ReadonlyMap<string, FlagRow>

/** Returns the current flags, which are read again only after a change. */
export function createFlagCache(db: Db, snapshots: Snapshots): () => Promise<Flags> {
  const all = {}
  const keep = keepFresh<typeof all, Flags>(snapshots, {
    capacity: 1,
    scopesOf: () => [flagsScope],
    async load() {
      // One statement, so that flags and epochs belong to the same snapshot.
      const rows = await db
        .select({ ...epochColumns, flag: flags })
        .from(sql`(select 1) as one`)
        .leftJoin(flags, sql`true`)
        .orderBy(flags.key)
      return {
        snapshot: snapshotOf(rows),
        found: new Map([
          [all, new Map(rows.flatMap(({ flag }) => (flag ? [[flag.key, flag]] : [])))]
        ])
      }
    }
  })
  return () =>
    new Promise((resolve, reject) =>
      keep(all, (error, found) => (found ? resolve(found) : reject(error)))
    )
}
