import { sql } from 'drizzle-orm'
import type { Db } from './engine.ts'
import { epochsMissing } from './errors.ts'
import { numberSize, partsPerShard, scopeCount, userShards } from './schema/epochs.ts'

/** Whether a row has a number for each part of its shard. */
const isWhole = sql`octet_length(numbers) = ${partsPerShard * numberSize}::int`

/** How many rows are missing; one of the parts that lacks numbers counts as missing. */
export async function countMissingEpochs(db: Db): Promise<number> {
  const [found] = await db
    .select({
      rows: sql<number>`(
        (select count(*) from epochs where scope < ${scopeCount}::int)
        + (select count(*) from epoch_parts where scope < ${userShards}::int and ${isWhole})
      )::int`
    })
    .from(sql`(select 1) as one`)
  return scopeCount + userShards - (found?.rows ?? 0)
}

/** @throws EpochsMissing */
export async function requireEpochs(db: Db) {
  if ((await countMissingEpochs(db)) > 0) throw epochsMissing()
}
