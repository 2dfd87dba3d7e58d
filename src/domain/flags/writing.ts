import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { flagEvaluations, flags } from '../../../db/schema/flags.ts'
import type { FlagRow, revisionChanges } from '../../../db/schema/flags.ts'
import type { AuthorizedActor } from '../actor.ts'
import { checkAll, flagExists, flagNotFound } from '../errors.ts'
import { cleanDescription } from '../texts.ts'
import type { References } from './references.ts'
import {
  addRevision,
  addRevisions,
  changedFields,
  lastVersions,
  nextVersion,
  nextVersions
} from './revisions.ts'
import type { Subject } from './revisions.ts'
import { withStoredTimes } from './times.ts'
import { assertValidFlag } from './validation.ts'

// The parts of a change of flags. Each change is in a transaction with its record and its bump.

const { key, version, createdAt, updatedAt, ...defined } = getTableColumns(flags)

/** Everything that a change of a flag can change. */
export type FlagDefinition = Pick<FlagRow, keyof typeof defined>
export type NewFlagRow = FlagDefinition & Pick<FlagRow, 'key'>

const subjectOf = (key: string): Subject => ({ kind: 'flag', key })
export const definitionOf = (flag: FlagDefinition) =>
  Object.fromEntries(Object.keys(defined).map((name) => [name, flag[name as keyof FlagDefinition]]))

/** A locked flag as its history compares it. */
const stateOf = (flag: FlagRow) => ({
  version: flag.version,
  definition: definitionOf(flag),
  // Stored definitions lack fields that did not exist then.
  defaults: { permanent: defined.permanent.default }
})

type Change = Exclude<(typeof revisionChanges)[number], 'found' | 'delete'>

/**
 * The flag as it is stored. Throws a refusal that lists every error.
 * @param before the flag before the change; absent for a new one
 * @param known as in `assertValidFlag`
 */
export async function cleanFlag<T extends FlagDefinition>(
  tx: Db,
  flag: T,
  before?: FlagRow,
  known?: References
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
export async function beginHistory(tx: Db, by: AuthorizedActor, made: FlagRow, change: Change) {
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
  by: AuthorizedActor,
  before: FlagRow,
  after: FlagDefinition,
  change: Change
) {
  const to = definitionOf(after)
  const fields = changedFields(definitionOf(before), to)
  if (fields.length === 0) return { flag: before, fields }
  if (fields.includes('rules')) await by.recheck() // its segments may have been waited for
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
export async function removeFlag(tx: Db, by: AuthorizedActor, before: FlagRow) {
  const subject = subjectOf(before.key)
  const version = await nextVersion(tx, subject, stateOf(before))
  await tx.delete(flags).where(eq(flags.key, before.key))
  await tx.delete(flagEvaluations).where(eq(flagEvaluations.flagKey, before.key))
  await addRevision(tx, by, subject, { version, change: 'delete', fields: [], definition: null })
  return version
}

// Changes of many flags, in a few statements each. `all` are at most a thousand.

/** Inserts many flags, and begins or continues their histories. Throws `flag-exists`. */
export async function insertFlags(tx: Db, by: AuthorizedActor, all: NewFlagRow[], change: Change) {
  const inserted = await tx.insert(flags).values(all).onConflictDoNothing().returning()
  await by.recheck() // the insertion may have waited
  if (inserted.length < all.length) throw flagExists()
  const keys = inserted.map(({ key }) => key)
  const last = await lastVersions(tx, 'flag', keys)
  const made = inserted.map((flag) => ({ ...flag, version: (last.get(flag.key) ?? 0) + 1 }))
  const states = made.map((flag) => ({
    ...{ ...subjectOf(flag.key), version: flag.version, change, fields: [] },
    definition: definitionOf(flag)
  }))
  await addRevisions(tx, by, states)
  if (last.size > 0) {
    const given = JSON.stringify(made.map(({ key, version }) => ({ key, version })))
    await tx.execute(sql`
      update ${flags} set version = each.version
      from jsonb_to_recordset(${given}::text::jsonb) as each(key text, version integer)
      where ${flags.key} = each.key`)
  }
  return made
}

/** Of each column that a change can change, from a definition. */
const assignments = Object.entries(defined).map(([name, column]) => {
  const text = sql`each.definition ->> ${name}::text`
  const value =
    column.dataType === 'json'
      ? sql`each.definition -> ${name}::text`
      : column.dataType === 'boolean'
        ? sql`(${text})::boolean`
        : text
  return sql`${sql.identifier(column.name)} = ${value}`
})

interface Rewrite {
  before: FlagRow
  after: FlagDefinition
}

/** As rewriteFlag for flags that differ, and returns the new version of each, by key. */
export async function rewriteFlags(tx: Db, by: AuthorizedActor, all: Rewrite[], change: Change) {
  await by.recheck() // their segments may have been waited for
  const states = all.map(({ before }) => ({ key: before.key, ...stateOf(before) }))
  const versions = await nextVersions(tx, 'flag', states)
  const made = all.map(({ before, after }) => ({
    key: before.key,
    version: versions.get(before.key) ?? before.version + 1,
    definition: definitionOf(after),
    fields: changedFields(definitionOf(before), definitionOf(after))
  }))
  const rows = JSON.stringify(
    made.map(({ key, version, definition }) => ({ key, version, definition }))
  )
  await tx.execute(sql`
    update ${flags} as flag
    set ${sql.join(assignments, sql`, `)}, version = each.version, updated_at = now()
    from jsonb_to_recordset(${rows}::text::jsonb)
      as each(key text, version integer, definition jsonb)
    where flag.key = each.key`)
  await addRevisions(
    tx,
    by,
    made.map(({ key, ...each }) => ({ ...subjectOf(key), change, ...each }))
  )
  return versions
}
