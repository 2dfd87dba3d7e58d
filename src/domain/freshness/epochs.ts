import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { epochsMissing } from '../../../db/errors.ts'
import { countMissingEpochs } from '../../../db/missing-epochs.ts'
import {
  epochParts,
  epochs,
  numberSize,
  partsPerShard,
  scopeCount,
  userPart,
  userScope,
  userShards
} from '../../../db/schema/epochs.ts'
import type { flagsScope, rolesScope } from '../../../db/schema/epochs.ts'
import { random64, randomBuffer } from '../crypto.ts'

// Call one of these, last in the transaction, because they lock rows that many transactions share.
// They lock in one order, which prevents deadlocks: ascending scopes, and in each the parts before
// the epoch.

/** Bumps all roles or flags. A missing row is added: otherwise the change would stay unnoticed. */
export async function bump(tx: Db, scope: typeof rolesScope | typeof flagsScope) {
  const value = random64()
  await tx
    .insert(epochs)
    .values({ scope, value })
    .onConflictDoUpdate({ target: epochs.scope, set: { value } })
}

/** Bumps users whose session checks may have changed: the part of each, and no other user's. */
export async function bumpUsers(tx: Db, ...userIds: string[]) {
  const places = new Map(
    userIds.map((id) => [id.slice(-4), { scope: userScope(id), part: userPart(id) }])
  )
  const inOrder = [...places.values()].sort((a, b) => a.scope - b.scope)
  for (const { scope, part } of inOrder) await bumpPart(tx, scope, part)
}

/** Replaces the number of the part, and the epoch of the shard: instances then read its parts. */
async function bumpPart(tx: Db, scope: number, part: number) {
  const number = sql.param(randomBuffer(numberSize), epochParts.numbers)
  const from = sql`${part * numberSize + 1}::int`
  const parts = tx.$with('parts', {}).as(sql`
    update ${epochParts} set numbers = overlay(numbers placing ${number} from ${from})
    where scope = ${scope} returning scope`)
  const [found] = await tx
    .with(parts)
    .update(epochs)
    .set({ value: random64() })
    // From the first update, so that this one takes its lock after it.
    .where(sql`${epochs.scope} = (select scope from parts)`)
    .returning({ scope: epochs.scope })
  if (!found) throw epochsMissing() // the change would stay unnoticed
}

/**
 * Bumps all scopes with all their parts, after manual changes or a restore, and adds missing rows.
 * Returns the number of missing ones.
 *
 * Why it is safe to add them while instances have values in memory: every epoch and every number is
 * replaced by a new random one in the same transaction, so no kept value is current.
 */
export async function bumpAll(tx: Db): Promise<number> {
  const missing = await countMissingEpochs(tx)
  const shards = Array.from({ length: userShards }, (_, scope) => scope)
  await tx
    .insert(epochParts)
    .values(shards.map((scope) => ({ scope, numbers: randomBuffer(partsPerShard * numberSize) })))
    .onConflictDoUpdate({ target: epochParts.scope, set: { numbers: sql`excluded.numbers` } })
  const known = Array.from({ length: scopeCount }, (_, scope) => scope)
  const found = await tx.select({ scope: epochs.scope }).from(epochs)
  // A newer release may have more.
  const all = new Set([...known, ...found.map(({ scope }) => scope)])
  await tx
    .insert(epochs)
    .values([...all].sort((a, b) => a - b).map((scope) => ({ scope, value: random64() })))
    .onConflictDoUpdate({ target: epochs.scope, set: { value: sql`excluded.value` } })
  return missing
}
