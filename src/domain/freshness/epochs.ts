import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import {
  epochDeltas,
  epochParts,
  epochs,
  numberSize,
  userPart,
  userScope
} from '../../../db/schema/epochs.ts'
import { random64, randomBuffer } from '../crypto.ts'
import { databaseUnavailable } from '../errors.ts'

// Call one of these, last in the transaction, because they lock rows that many transactions share.
// They lock in one order, which prevents deadlocks: ascending scopes, and in each the parts before
// the epoch.

/** Bumps scopes as a whole. */
export async function bump(tx: Db, ...scopes: number[]) {
  for (const scope of [...new Set(scopes)].sort((a, b) => a - b)) {
    await tx.update(epochs).set({ value: random64() }).where(eq(epochs.scope, scope))
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
  if (!found) throw databaseUnavailable() // the change would stay unnoticed
}

/** Bumps all scopes, after manual changes or a restore. */
export async function bumpAll(tx: Db) {
  const scopes = await tx.select({ scope: epochs.scope }).from(epochs).orderBy(asc(epochs.scope))
  await bump(tx, ...scopes.map(({ scope }) => scope))
}
