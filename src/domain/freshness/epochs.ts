import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { epochs } from '../../../db/schema/epochs.ts'
import { random64 } from '../crypto.ts'

/**
 * Bumps scopes whose session checks or flags may have changed. Call it last in the transaction,
 * because it locks rows that many transactions share. Locks in ascending order prevent deadlocks.
 */
export async function bump(tx: Db, ...scopes: number[]) {
  for (const scope of [...new Set(scopes)].sort((a, b) => a - b)) {
    await tx.update(epochs).set({ value: random64() }).where(eq(epochs.scope, scope))
  }
}

/** Bumps all scopes, after manual changes or a restore. */
export async function bumpAll(tx: Db) {
  const scopes = await tx.select({ scope: epochs.scope }).from(epochs).orderBy(asc(epochs.scope))
  await bump(tx, ...scopes.map(({ scope }) => scope))
}
