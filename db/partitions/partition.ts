import { sql } from 'drizzle-orm'
import type { Db } from '../engine.ts'
import { PartitionProblem } from '../errors.ts'
import { changeIndex } from '../indexes.ts'
import { readTime } from '../time.ts'
import { endFrom, removeBound, withSpanCheck } from './bound.ts'
import { requireOwner, withBriefLock } from './brief-lock.ts'
import type { Report } from './brief-lock.ts'
import { createMonth, createMonths, createPart, dropOldParts, monthsFrom } from './months.ts'
import type { Retention } from './months.ts'
import { boundCheck, defaultPart, readParts } from './parts.ts'
import { copyPrivileges } from './privileges.ts'
import { putBackLeft, repair } from './repair.ts'

interface Options {
  retention: Retention
  /** Move the records of the default partition. */
  repair: boolean
}

/**
 * Partitions the activity, or, if it is, creates the months ahead and drops those that are too old.
 * Call it when no other process does the same; run it again after an interruption.
 * @throws PartitionProblem
 */
export async function partitionActivity(db: Db, options: Options, report: Report) {
  const converted = await convert(db, report)
  await removeBound(db, defaultPart, report)
  await putBackLeft(db, report)
  const moved = options.repair ? await repair(db, report) : 0
  const created = await createMonths(db, report)
  const { dropped, kept } = await dropOldParts(db, options.retention, report)
  if (converted || moved > 0 || created.length > 0 || dropped.length > 0) {
    report('Collecting statistics for the planner.')
    await db.execute('analyze activity') // autovacuum does not, for the table as a whole
  }
  return { converted, created, dropped, kept, moved }
}

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
async function convert(db: Db, report: Report): Promise<boolean> {
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

const interval = 10_000

/** Runs `work`, which builds an index, and reports its progress every ten seconds. */
async function watched(db: Db, what: string, work: () => Promise<void>, report: Report) {
  report(`${what}.`)
  const timer = setInterval(() => {
    readProgress(db).then(
      (percent) => report(`${what}: ${percent ?? 0} %.`),
      () => {} // the work itself reports an unavailable database
    )
  }, interval)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
}

/** Progress of the current phase: reading, then sorting, then checking. */
async function readProgress(db: Db) {
  const done = sql`coalesce(nullif(tuples_done, 0), blocks_done)`
  const total = sql`coalesce(nullif(tuples_total, 0), nullif(blocks_total, 0))`
  const [row] = await db
    .select({ percent: sql<number | null>`round(100.0 * ${done} / ${total})::int` })
    .from(sql`pg_stat_progress_create_index`)
    .where(sql`relid = to_regclass('activity')`)
  return row?.percent
}

/**
 * Checks additions of an operator to the table, and its owner.
 * @param own names of unique indexes that belong to the partitioning
 * @throws PartitionProblem
 */
async function requireSuitable(db: Db, own: string[]) {
  await requireOwner(db)
  const found = await findDependents(db, own)
  if (found.length > 0) {
    throw new PartitionProblem(
      'activity-extended',
      `These objects belong to the table as it is: ${found.join(', ')}. They would not cover new ` +
        'records. Drop them, run this command again, then create them again.'
    )
  }
}

const kinds = ['view', 'trigger', 'policy', 'publication', 'foreign key', 'unique index']

/** Objects that would stay with the old part, or that a partitioned table cannot have. */
async function findDependents(db: Db, own: string[]) {
  const rows = await db.select({ kind: sql<number>`kind`, name: sql<string>`name` }).from(
    sql`(select to_regclass('activity')::oid as oid) as activity, lateral (
        select distinct 0, ev_class::regclass::text
        from pg_depend join pg_rewrite on pg_rewrite.oid = objid
        where classid = 'pg_rewrite'::regclass and refclassid = 'pg_class'::regclass
          and refobjid = activity.oid
        union all select 1, tgname from pg_trigger
        where tgrelid = activity.oid and not tgisinternal
        union all select 2, polname from pg_policy where polrelid = activity.oid
        union all select 3, pubname
        from pg_publication_rel join pg_publication on pg_publication.oid = prpubid
        where prrelid = activity.oid
        union all select 4, conname from pg_constraint
        where contype = 'f' and activity.oid in (conrelid, confrelid)
        union all select 5, relname from pg_index join pg_class on pg_class.oid = indexrelid
        where indrelid = activity.oid and indisunique and not indisprimary
          and relname not in (${sql.join(
            own.map((name) => sql`${name}`),
            sql`, `
          )})
      ) as dependents (kind, name)`
  )
  return rows.map(({ kind, name }) => `${kinds[kind]} ${name}`)
}
