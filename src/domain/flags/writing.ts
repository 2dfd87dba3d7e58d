import { isDeepStrictEqual } from 'node:util'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { flagEvaluations } from '../../../db/schema/flag-evaluations.ts'
import { flags } from '../../../db/schema/flags.ts'
import type { FlagRow } from '../../../db/schema/flags.ts'
import { checkAll } from '../domain-error.ts'
import { flagNotFound } from '../errors.ts'
import { keysOf } from '../keys-of.ts'
import { cleanDescription } from '../texts.ts'
import { assertValidFlag } from './validation.ts'

// The parts of a change of flags. Each change is in a transaction with its record and its bump.

const { key, version, createdAt, updatedAt, ...defined } = getTableColumns(flags)

/** Everything that a change of a flag can change. */
export type FlagDefinition = Pick<FlagRow, keyof typeof defined>
export type NewFlagRow = FlagDefinition & Pick<FlagRow, 'key'>

/**
 * The flag as it is stored. Throws a refusal that lists every error.
 * @param before the flag before the change; absent for a new one
 */
export async function cleanFlag<T extends FlagDefinition>(tx: Db, flag: T, before?: FlagRow) {
  // Comes before code that recurses into the values, which can be nested as deeply as a body
  // allows.
  const [description] = await checkAll(
    () => cleanDescription(flag.description),
    () => assertValidFlag(tx, flag, before)
  )
  return { ...flag, description }
}

export const changedFields = (before: FlagDefinition, after: FlagDefinition) =>
  keysOf(defined).filter((name) => !isDeepStrictEqual(after[name], before[name]))

/** Waits for another insertion of this key. Returns nothing if the flag exists. */
export async function insertFlag(tx: Db, flag: NewFlagRow) {
  const [made] = await tx.insert(flags).values(flag).onConflictDoNothing().returning()
  return made
}

/** Writes the changed fields of a locked flag, if there are any, and returns their names. */
export async function rewriteFlag(tx: Db, before: FlagRow, after: FlagDefinition) {
  const fields = changedFields(before, after)
  if (fields.length === 0) return { flag: before, fields }
  const values = Object.fromEntries(fields.map((name) => [name, after[name]]))
  const [flag] = await tx
    .update(flags)
    .set({ ...values, version: sql`${version} + 1`, updatedAt: sql`now()` })
    .where(eq(flags.key, before.key))
    .returning()
  if (!flag) throw flagNotFound()
  return { flag, fields }
}

/** Deletes a locked flag, and what was counted for it. */
export async function removeFlag(tx: Db, before: Pick<FlagRow, 'key'>) {
  await tx.delete(flags).where(eq(flags.key, before.key))
  await tx.delete(flagEvaluations).where(eq(flagEvaluations.flagKey, before.key))
}
