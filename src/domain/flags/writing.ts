import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { flagEvaluations } from '../../../db/schema/flag-evaluations.ts'
import type { revisionChanges } from '../../../db/schema/flag-revisions.ts'
import { flags } from '../../../db/schema/flags.ts'
import type { FlagRow } from '../../../db/schema/flags.ts'
import type { Permitted } from '../actor.ts'
import { checkAll } from '../domain-error.ts'
import { flagNotFound } from '../errors.ts'
import { cleanDescription } from '../texts.ts'
import type { Known } from './missing.ts'
import { addRevision, changedFields, nextVersion } from './revisions.ts'
import type { Subject } from './revisions.ts'
import { withStoredTimes } from './times.ts'
import { assertValidFlag } from './validation.ts'

// The parts of a change of flags. Each change is in a transaction with its record and its bump.

const { key, version, createdAt, updatedAt, ...defined } = getTableColumns(flags)

/** Everything that a change of a flag can change. */
export type FlagDefinition = Pick<FlagRow, keyof typeof defined>
export type NewFlagRow = FlagDefinition & Pick<FlagRow, 'key'>

export const subjectOf = (key: string): Subject => ({ kind: 'flag', key })
export const definitionOf = (flag: FlagDefinition) =>
  Object.fromEntries(Object.keys(defined).map((name) => [name, flag[name as keyof FlagDefinition]]))

/** A locked flag as its history compares it. */
export const stateOf = (flag: FlagRow) => ({
  version: flag.version,
  definition: definitionOf(flag),
  // Stored definitions lack fields that did not exist then.
  defaults: { permanent: defined.permanent.default }
})

export type Change = Exclude<(typeof revisionChanges)[number], 'found' | 'delete'>

/**
 * The flag as it is stored. Throws a refusal that lists every error.
 * @param before the flag before the change; absent for a new one
 * @param known as in `assertValidFlag`
 */
export async function cleanFlag<T extends FlagDefinition>(
  tx: Db,
  flag: T,
  before?: FlagRow,
  known?: Known
) {
  // Comes before code that recurses into the values, which can be nested as deeply as a body
  // allows.
  const [description] = await checkAll(
    () => cleanDescription(flag.description),
    () => assertValidFlag(tx, flag, before, known)
  )
  return { ...flag, description, rules: flag.rules.map(withStoredTimes) }
}

/** Waits for another insertion of this key. Returns nothing if the flag exists. */
export async function insertFlag(tx: Db, flag: NewFlagRow) {
  const [made] = await tx.insert(flags).values(flag).onConflictDoNothing().returning()
  return made
}

/** Completes an insertion: the history of the key goes on. */
export async function beginHistory(tx: Db, by: Permitted, made: FlagRow, change: Change) {
  const subject = subjectOf(made.key)
  const version = await nextVersion(tx, subject)
  await addRevision(tx, by, subject, {
    version,
    change,
    fields: [],
    definition: definitionOf(made)
  })
  if (version === made.version) return made
  const [flag] = await tx.update(flags).set({ version }).where(eq(flags.key, made.key)).returning()
  if (!flag) throw flagNotFound()
  return flag
}

/** Writes the changed fields of a locked flag, if there are any, and returns their names. */
export async function rewriteFlag(
  tx: Db,
  by: Permitted,
  before: FlagRow,
  after: FlagDefinition,
  change: Change
) {
  const to = definitionOf(after)
  const fields = changedFields(definitionOf(before), to)
  if (fields.length === 0) return { flag: before, fields }
  if (fields.includes('rules')) await by.judgeAgain() // its segments may have been waited for
  const subject = subjectOf(before.key)
  const version = await nextVersion(tx, subject, stateOf(before))
  const [flag] = await tx
    .update(flags)
    .set({ ...to, version, updatedAt: sql`now()` })
    .where(eq(flags.key, before.key))
    .returning()
  if (!flag) throw flagNotFound()
  await addRevision(tx, by, subject, { version, change, fields, definition: definitionOf(flag) })
  return { flag, fields }
}

/** Deletes a locked flag with what was counted for it, and returns the version of the deletion. */
export async function removeFlag(tx: Db, by: Permitted, before: FlagRow) {
  const subject = subjectOf(before.key)
  const version = await nextVersion(tx, subject, stateOf(before))
  await tx.delete(flags).where(eq(flags.key, before.key))
  await tx.delete(flagEvaluations).where(eq(flagEvaluations.flagKey, before.key))
  await addRevision(tx, by, subject, { version, change: 'delete', fields: [], definition: null })
  return version
}
