import { sql } from 'drizzle-orm'
import type { Db } from '../engine.ts'
import { changeIndex } from '../indexes.ts'
import { withSpanCheck, endFrom } from './bound.ts'
import { withBriefLock } from './brief-lock.ts'
import type { Report } from './brief-lock.ts'
import { createMonth, createPart, monthsFrom } from './months.ts'
import { readTime } from '../time.ts'
import { boundCheck, defaultPart, readParts } from './parts.ts'
import { copyPrivileges } from './privileges.ts'
import { requireSuitable } from './suitable.ts'
import { watched } from './progress.ts'

/** The table as it was becomes the first partition. */
const before = 'activity_before'
/** The new parent, until it takes the name of the table. */
const parent = 'activity_partitioned'

/** What the old table needs beside its own indexes; an index of the key exists for its parent. */
const indexes = [
  `CREATE UNIQUE INDEX CONCURRENTLY "${before}_pkey" ON "activity" ("at", "id")`,
  `CREATE INDEX CONCURRENTLY "${before}_id" ON "activity" ("id")`
]

/**
 * Turns `activity` into a table that is partitioned by month, while records are read and written.
 * The last transaction only changes catalogs. After an interruption, indexes that were built stay.
 * @returns false when it is partitioned already
 * @throws PartitionProblem
 */
export async function convert(db: Db, report: Report): Promise<boolean> {
  if (await readParts(db)) return false
  await requireSuitable(db, indexes.map(nameOf))
  for (const statement of indexes) {
    const name = nameOf(statement)
    await watched(
      db,
      `Building the index ${name}`,
      () => changeIndex(db, statement, () => {}),
      report
    )
  }
  const end = await endFrom(db)
  const swapped = () => withBriefLock(db, 'activity', (tx) => swap(tx, end), report)
  await withSpanCheck(db, 'activity', { to: end }, swapped, report)
  return true
}

const nameOf = (statement: string) => /"(\w+)"/.exec(statement)?.[1] ?? ''

/** Locks the old table only after everything else exists. */
async function swap(tx: Db, end: Date) {
  const now = await readTime(tx)
  await tx.execute(
    `create table ${parent} (like activity including all excluding indexes) ` +
      'partition by range (at)'
  )
  await tx.execute(`alter table ${parent} drop constraint ${boundCheck}`)
  await copyPrivileges(tx, 'activity', parent)
  const oldKey = await moveIndexes(tx)
  await tx.execute(`alter table ${parent} add constraint activity_pkey primary key (at, id)`)
  await tx.execute(`create index activity_id on ${parent} (id)`)
  await createPart(tx, parent, defaultPart, 'default')
  for (const month of monthsFrom(now)) if (month >= end) await createMonth(tx, parent, month)

  await tx.execute('lock table activity in access exclusive mode')
  await tx.execute(`alter table activity drop constraint ${oldKey}`)
  const key = `${before}_pkey`
  await tx.execute(`alter table activity add constraint ${key} primary key using index ${key}`)
  await tx.execute(`alter table activity rename to ${before}`)
  await tx.execute(`alter table ${parent} rename to activity`)
  const range = `(minvalue) to ('${end.toISOString()}')`
  await tx.execute(`alter table activity attach partition ${before} for values from ${range}`)
  await tx.execute(`alter table ${before} drop constraint ${boundCheck}`)
}

/**
 * Gives the indexes of the old table other names, and creates them for the parent, which then
 * finds the old ones. Returns the new name of the old primary key.
 */
async function moveIndexes(tx: Db) {
  const found = await tx
    .select({
      name: sql<string>`relname`,
      definition: sql<string>`pg_get_indexdef(indexrelid)`,
      isKey: sql<boolean>`indisprimary`
    })
    .from(sql`pg_index join pg_class on oid = indexrelid`)
    .where(sql`indrelid = to_regclass('activity') and indisvalid`)
  const oldKey = `${before}_old_pkey`
  for (const { name, definition, isKey } of found) {
    if (indexes.some((statement) => nameOf(statement) === name)) continue
    const renamed = isKey ? oldKey : `${before}${name.replace(/^activity/, '')}`
    await tx.execute(sql`alter index ${sql.identifier(name)} rename to ${sql.identifier(renamed)}`)
    if (!isKey) await tx.execute(definition.replace(/ ON \S+ USING /, ` ON ${parent} USING `))
  }
  return oldKey
}
