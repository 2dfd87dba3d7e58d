import { getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { flags } from '../../../db/schema/flags.ts'
import type { FlagRow } from '../../../db/schema/flags.ts'
import type { Permitted } from '../actor.ts'
import { flagExists } from '../errors.ts'
import { addRevisions, changedFields, lastVersions, nextVersions } from './revisions.ts'
import { definitionOf, stateOf, subjectOf } from './writing.ts'
import type { Change, FlagDefinition, NewFlagRow } from './writing.ts'

// Changes of many flags, in a few statements each. `all` are at most a thousand.

/** Inserts many flags, and begins or continues their histories. Throws `flag-exists`. */
export async function insertFlags(tx: Db, by: Permitted, all: NewFlagRow[], change: Change) {
  const inserted = await tx.insert(flags).values(all).onConflictDoNothing().returning()
  await by.judgeAgain() // the insertion may have waited
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

const { key, version: ignored, createdAt, updatedAt, ...defined } = getTableColumns(flags)
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
export async function rewriteFlags(tx: Db, by: Permitted, all: Rewrite[], change: Change) {
  await by.judgeAgain() // their segments may have been waited for
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
