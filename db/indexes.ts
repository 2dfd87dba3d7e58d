import { sql } from 'drizzle-orm'
import type { Db, OnWait } from './engine.ts'
import { databaseCode } from './errors.ts'
import { withRetries, reporting, waitUntil } from './schema-changes.ts'

/** The form in which drizzle-kit writes an index that is declared with `.concurrently()`. */
export const concurrentIndex = /^(\s*(?:CREATE (?:UNIQUE )?|DROP )INDEX) CONCURRENTLY(?= "(\w+)")/

/**
 * Statements for trigrams, which some engines do not have, or not in an index of two columns. The
 * portal works without them. The errors are: the feature, the operator class or the form of index
 * is not supported; the files of the extension are missing, or the role may not create it.
 */
const optional: [statement: RegExp, errors: RegExp][] = [
  [/CREATE EXTENSION IF NOT EXISTS pg_trgm/, /^(0A000|58P01|42501)$/],
  [/gin_trgm_ops/, /^(0A000|42704|42804)$/]
]
export const isOptional = (statement: string) => optional.some(([form]) => form.test(statement))
export const isUnsupported = (statement: string, error: unknown) =>
  optional.some(([form, errors]) => form.test(statement) && errors.test(databaseCode(error) ?? ''))

/**
 * Does nothing when the index exists, or is gone. An invalid one is still being built, by a server
 * process that has outlived the process it worked for, or was left by a failed attempt.
 * @param statement in the form that `concurrentIndex` matches
 */
export async function changeIndex(db: Db, statement: string, onWait: OnWait) {
  const name = concurrentIndex.exec(statement)?.[2] ?? ''
  const dropping = /^\s*DROP/.test(statement)
  const table = dropping ? name : (/ ON "(\w+)"/.exec(statement)?.[1] ?? '')
  let found: Awaited<ReturnType<typeof findIndex>>
  const isBuilt = async () => {
    found = await findIndex(db, name)
    return !found?.building
  }
  await waitUntil(isBuilt, () => onWait(`another process that builds "${name}"`))
  if (dropping ? !found : found?.valid) return
  if (await isPartitioned(db, table)) {
    // Such an index cannot be changed concurrently.
    if (!dropping) await buildForPartitions(db, statement, { name, table }, onWait)
    await withRetries(db, (tx) => tx.execute(statement.replace(concurrentIndex, '$1')), onWait)
    return
  }
  // Both wait for transactions without limit.
  const change = (text: string) =>
    reporting(
      () => db.execute(text),
      () => onWait(`the index "${name}": changing it also waits for older transactions`)
    )
  if (found) await change(`drop index concurrently "${name}"`)
  if (dropping) return
  await change(statement).catch((error: unknown) => {
    if (!isUnsupported(statement, error)) throw error
  })
}

async function findIndex(db: Db, name: string) {
  const [found] = await db
    .select({
      valid: sql<boolean>`indisvalid`,
      building: sql<boolean>`exists (
        select from pg_stat_progress_create_index as progress
        where progress.index_relid = pg_index.indexrelid and datname = current_database())`
    })
    .from(sql`pg_index`)
    .where(sql`indexrelid = to_regclass(${`"${name}"`})`)
  return found
}

/** Whether a table, or the table of an index, is partitioned. */
export async function isPartitioned(db: Db, name: string) {
  const [found] = await db
    .select({ kind: sql<string>`relkind` })
    .from(sql`pg_class`)
    .where(sql`oid = to_regclass(${`"${name}"`})`)
  return found?.kind === 'p' || found?.kind === 'I'
}

/**
 * Builds an index for each partition. The index of the whole table then adopts these, and has
 * nothing to build.
 */
async function buildForPartitions(
  db: Db,
  statement: string,
  { name, table }: { name: string; table: string },
  onWait: OnWait
) {
  const parts = await db
    .select({ part: sql<string>`relname` })
    .from(sql`pg_inherits join pg_class on pg_class.oid = inhrelid`)
    .where(sql`inhparent = to_regclass(${`"${table}"`})`)
  for (const { part } of parts) {
    const ofPart = statement.replace(`"${name}" ON "${table}"`, `"${part}_${name}" ON "${part}"`)
    await changeIndex(db, ofPart, onWait)
  }
}
