import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { shardColumns } from '../../../db/epochs.ts'
import { epochsMissing } from '../../../db/errors.ts'
import { epochParts, epochs, numberSize, partsPerShard } from '../../../db/schema/epochs.ts'

/** The epochs of a shard of users and of its parts. */
export interface Shard {
  /** Changes with every bump in the shard. */
  value: string
  /** One for each part, in hexadecimal: changes when the part is bumped. */
  numbers: string
}

/** Shards by scope, and the epoch of the roles, from one statement. */
export interface Shards {
  shards: Map<number, Shard>
  roles: string
}

/** Hexadecimal digits. */
export const numberLength = 2 * numberSize

/** The number of a part among all numbers of its shard. */
export const numberAt = (numbers: string, part: number) =>
  numbers.slice(part * numberLength, (part + 1) * numberLength)

/**
 * Reads some shards. If an epoch is missing, the database is broken: none may be equal to another
 * missing one.
 */
export function createShardReader(db: Db) {
  // In a subquery, or PostgreSQL plans each read anew: it would expect ten shards without knowing
  // the parameter. Planning takes four times as long as reading one.
  const statement = db
    .select(shardColumns)
    .from(epochParts)
    .innerJoin(epochs, eq(epochs.scope, epochParts.scope))
    .where(
      sql`${epochParts.scope} =
        any((select string_to_array(${sql.placeholder('scopes')}::text, ','))::smallint[])`
    )
    .prepare('shards')
  /** Since the start: the number of reads, failed ones as well. */
  const totals = { reads: 0 }
  const read = async (scopes: number[]): Promise<Shards> => {
    totals.reads++
    const rows = await statement.execute({ scopes: scopes.join() })
    const roles = rows[0]?.roles
    if (rows.length !== scopes.length || typeof roles !== 'string') throw epochsMissing()
    const shards = new Map(
      rows.map(({ scope, value, numbers }) => {
        if (numbers.length !== numberLength * partsPerShard) throw epochsMissing()
        return [scope, { value, numbers }]
      })
    )
    return { shards, roles }
  }
  return { read, totals: totals as Readonly<typeof totals> }
}
