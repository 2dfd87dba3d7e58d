import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { epochs } from '../../../db/schema/epochs.ts'
import { random64 } from '../crypto.ts'

/**
 * Says that what a session check could answer in these scopes has changed. Call it last in the transaction:
 * the rows it locks are shared by many; in ascending order, so that two of them never wait for each other.
 */
export async function bump(tx: Db, ...scopes: number[]) {
  for (const scope of [...new Set(scopes)].sort((a, b) => a - b)) {
    await tx.update(epochs).set({ value: random64() }).where(eq(epochs.scope, scope))
  }
}

/** Says that anything may have changed: after changes that were made past the portal, by hand or from a backup. */
export async function bumpAll(tx: Db) {
  const scopes = await tx.select({ scope: epochs.scope }).from(epochs).orderBy(asc(epochs.scope))
  await bump(tx, ...scopes.map(({ scope }) => scope))
}
