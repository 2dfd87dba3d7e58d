import { epochsMissing } from '../../../db/errors.ts'
import { rolesScope, userPart, userScope } from '../../../db/schema/epochs.ts'
import { inBatches, settled } from './batches.ts'
import { numberAt, numberLength } from './shards.ts'
import type { Shard, Shards } from './shards.ts'
import type { Done, Snapshot } from './snapshots.ts'

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
 * Why this compares all tags with one state, as `keepFresh` needs: the epoch of a shard changes
 * with each bump of one of its parts, to a value that occurs only once. So parts that were read
 * together with the epoch of the snapshot are those at the moment of the snapshot. Parts that are
 * read again come with the epoch of the roles from the same statement, which begins after the call.
 */
export function createUserEpochs(read: (scopes: number[]) => Promise<Shards>) {
  const kept = new Map<number, Shard>()
  const readAgain = inBatches<{ tags: UserTags; done: Done<boolean> }>(async (batch) => {
    const [error, found] = await settled(read([...new Set(batch.map(({ tags }) => tags.scope))]))
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
