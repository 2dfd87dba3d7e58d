import { not, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { epochsMissing } from '../../../db/errors.ts'
import { countMissingEpochs, isWhole } from '../../../db/missing-epochs.ts'
import {
  epochDeltas,
  epochParts,
  epochs,
  numberSize,
  partsPerShard,
  scopeCount,
  userPart,
  userScope,
  userShards
} from '../../../db/schema/epochs.ts'
import { random64, randomBuffer } from '../crypto.ts'

// Call one of these, last in the transaction, because they lock rows that many transactions share.
// They lock in one order, which prevents deadlocks: ascending scopes, and in each the parts before
// the epoch.

/** Bumps scopes as a whole. A missing row is added: otherwise the change would stay unnoticed. */
export async function bump(tx: Db, ...scopes: number[]) {
  for (const scope of [...new Set(scopes)].sort((a, b) => a - b)) {
    const value = random64()
    await tx
      .insert(epochs)
      .values({ scope, value })
      .onConflictDoUpdate({ target: epochs.scope, set: { value } })
  }
}

/** Bumps users whose session checks may have changed: the part of each, and no other user's. */
export async function bumpUsers(tx: Db, ...userIds: string[]) {
  const places = new Map(
    userIds.map((id) => [id.slice(-4), { scope: userScope(id), part: userPart(id) }])
  )
  const inOrder = [...places.values()].sort((a, b) => a.scope - b.scope)
  for (const { scope, part } of inOrder) await bumpPart(tx, scope, part)
}

/**
 * Replaces the number of the part, and changes the epoch of the shard, so that instances look at
 * its parts. The base stays the same, because both of its terms get the same delta.
 */
async function bumpPart(tx: Db, scope: number, part: number) {
  const delta = sql`${random64().toString()}::bigint`
  const number = sql.param(randomBuffer(numberSize), epochParts.numbers)
  const from = sql`${part * numberSize + 1}::int`
  // Each update takes the scope from the one before, and so takes its lock after it.
  const parts = tx.$with('parts', {}).as(sql`
    update ${epochParts} set numbers = overlay(numbers placing ${number} from ${from})
    where scope = ${scope} returning scope`)
  const deltas = tx.$with('deltas', {}).as(sql`
    update ${epochDeltas} set value = value # ${delta}
    where scope = (select scope from parts) returning scope`)
  const [found] = await tx
    .with(parts, deltas)
    .update(epochs)
    .set({ value: sql`${epochs.value} # ${delta}` })
    .where(sql`${epochs.scope} = (select scope from deltas)`)
    .returning({ scope: epochs.scope })
  if (!found) throw epochsMissing() // the change would stay unnoticed
}

/**
 * Bumps all scopes, after manual changes or a restore, and adds missing rows. Returns the number of
 * missing ones.
 *
 * Why it is safe to add them while instances have values in memory: every scope gets a new random
 * epoch in the same transaction. So neither an epoch nor the base of a shard, which is the epoch
 * XOR the delta, is one that was there before, and no kept value is current.
 */
export async function bumpAll(tx: Db): Promise<number> {
  const missing = await countMissingEpochs(tx)
  await tx.delete(epochParts).where(not(isWhole))
  const shards = Array.from({ length: userShards }, (_, scope) => scope)
  await tx
    .insert(epochParts)
    .values(shards.map((scope) => ({ scope, numbers: randomBuffer(partsPerShard * numberSize) })))
    .onConflictDoNothing()
  await tx
    .insert(epochDeltas)
    .values(shards.map((scope) => ({ scope, value: 0n })))
    .onConflictDoNothing()
  const found = await tx.select({ scope: epochs.scope }).from(epochs)
  const known = Array.from({ length: scopeCount }, (_, scope) => scope)
  await bump(tx, ...known, ...found.map(({ scope }) => scope)) // a newer release may have more
  return missing
}
