import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { shardColumns } from '../../../db/epochs.ts'
import { epochsMissing } from '../../../db/errors.ts'
import {
  epochParts,
  epochs,
  numberSize,
  partsPerShard,
  rolesScope,
  userPart,
  userScope
} from '../../../db/schema/epochs.ts'
import { coalesce, outcomeOf } from './fresh-cache.ts'
import type { Done, Snapshot } from './fresh-cache.ts'

/** The epochs of a shard of users and of its parts. */
export interface Shard {
  /** Changes with every bump in the shard. */
  value: string
  /** One for each part, in hexadecimal: changes when the part is bumped. */
  numbers: string
}

/** Shards by scope, and the epoch of the roles, from one statement. */
interface Shards {
  shards: Map<number, Shard>
  roles: string
}

/** Hexadecimal digits. */
const numberLength = 2 * numberSize

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

export type UserTags = ReturnType<typeof userTags>

/**
 * The epochs of a user, as a row has them: the number of their part, and the epoch of the roles.
 * They are never missing, so that tags cannot be equal without a value.
 */
export function userTags(
  userId: string,
  { number, roles }: { number: string | null; roles: string | null }
) {
  if (number?.length !== numberLength || roles === null) throw epochsMissing()
  return { scope: userScope(userId), part: userPart(userId), number, roles }
}

/**
 * Compares tags of users with the current epochs. A snapshot only has the epochs of whole shards.
 * If that of the user's shard has changed since its parts were last read, they are read again, in
 * one statement for all waiting callers.
 *
 * Why this compares all tags with one state, as `createFreshCache` needs: the epoch of a shard
 * changes with each bump of one of its parts, to a value that occurs only once. So parts that were
 * read together with the epoch of the snapshot are those at the moment of the snapshot. Parts that
 * are read again come with the epoch of the roles from the same statement, which begins after the
 * call.
 */
export function createUserEpochs(read: (scopes: number[]) => Promise<Shards>) {
  const kept = new Map<number, Shard>()
  const readAgain = coalesce<{ tags: UserTags; done: Done<boolean> }>(async (batch) => {
    const [error, found] = await outcomeOf(read([...new Set(batch.map(({ tags }) => tags.scope))]))
    found?.shards.forEach((shard, scope) => kept.set(scope, shard))
    for (const { tags, done } of batch) {
      const shard = found?.shards.get(tags.scope)
      if (found && shard) done(undefined, isEqual(tags, shard, found.roles))
      else done(error)
    }
  })
  return (tags: UserTags, { values }: Snapshot, done: Done<boolean>) => {
    const roles = values[rolesScope]
    const shard = kept.get(tags.scope)
    if (roles !== undefined && shard && shard.value === values[tags.scope]) {
      done(undefined, isEqual(tags, shard, roles))
    } else readAgain({ tags, done })
  }
}

const isEqual = (tags: UserTags, { numbers }: Shard, roles: string) =>
  tags.number === numberAt(numbers, tags.part) && tags.roles === roles
