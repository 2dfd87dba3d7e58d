import { is, SQL, sql } from 'drizzle-orm'
import { getTableConfig, PgDialect } from 'drizzle-orm/pg-core'
import type { IndexedColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db, OnWait } from './engine.ts'
import { changeIndex, isOptional, isPartitioned } from './indexes.ts'
import { activity } from './schema/activity.ts'
import { tables } from './tables.ts'
import { withRetries } from './schema-changes.ts'

type SchemaIndex = ReturnType<typeof asIndex>
export type BrokenIndex = SchemaIndex & { state: 'missing' | 'invalid' | 'different' }

/**
 * The indexes of the schema that the database lacks, or that are invalid or defined differently.
 * Indexes that only make the search of users fast may be missing.
 */
export async function findBrokenIndexes(db: Db): Promise<BrokenIndex[]> {
  const expected = schemaIndexes(await isPartitioned(db, 'activity'))
  const names = expected.map(({ name }) => name).join()
  const found = await db
    .select({
      name: sql<string>`name`,
      definition: sql<string>`pg_get_indexdef(indexrelid, 0, true)`,
      valid: sql<boolean>`indisvalid`,
      key: sql<boolean>`indisprimary`
    })
    .from(
      sql`unnest(string_to_array(${names}, ',')) as name
        join pg_index on indexrelid = to_regclass(name)`
    )
  const byName = new Map(found.map((index) => [index.name, index]))
  return expected.flatMap((index): BrokenIndex[] => {
    const actual = byName.get(index.name)
    if (!actual) return [{ ...index, state: 'missing' }]
    if (!actual.valid) return [{ ...index, state: 'invalid' }]
    const same = actual.key === index.key && inShort(actual.definition) === inShort(index.statement)
    return same ? [] : [{ ...index, state: 'different' }]
  })
}

/**
 * Builds the index as the schema has it, while the table is read and written.
 * @param db as for a migration
 */
export async function repairIndex(db: Db, index: BrokenIndex, onWait: OnWait) {
  const { name, table, key, state, statement } = index
  if (key) await withRetries(db, (tx) => tx.execute(dropKey(index)), onWait)
  else if (state !== 'missing') {
    await changeIndex(db, `DROP INDEX CONCURRENTLY "${name}"`, onWait)
  }
  await changeIndex(db, statement, onWait)
  if (!key) return
  const use = `alter table "${table}" add constraint "${name}" primary key using index "${name}"`
  await withRetries(db, (tx) => tx.execute(use), onWait)
}

/** Refused while foreign keys depend on it: such a key is not simply built again. */
const dropKey = ({ name, table }: SchemaIndex) =>
  `alter table "${table}" drop constraint if exists "${name}"`

/** @param partitioned whether the activity is: its key then begins with the time */
function schemaIndexes(partitioned: boolean) {
  return tables.flatMap((table) => {
    const { name, indexes, columns, primaryKeys } = getTableConfig(table)
    const declared = indexes.map(({ config }) => {
      const { name = '', columns, method = 'btree', unique, where } = config
      return asIndex(table, name, { columns: columns.map(inSql), method, unique, where })
    })
    const [key] = primaryKeys
    const keyColumns = key?.columns ?? columns.filter((column) => column.primary)
    const ofKey = { columns: keyColumns.map(({ name }) => `"${name}"`), method: 'btree' }
    const keyIndex =
      partitioned && table === activity
        ? asIndex(table, 'activity_id', ofKey)
        : asIndex(table, key?.getName() ?? `${name}_pkey`, { ...ofKey, unique: true, key: true })
    return [keyIndex, ...declared].filter(({ statement }) => !isOptional(statement))
  })
}

interface Definition {
  /** Columns and expressions, in SQL. */
  columns: string[]
  method: string
  unique?: boolean
  /** The index of the primary key. */
  key?: boolean
  where?: SQL | undefined
}

function asIndex(of: PgTable, name: string, definition: Definition) {
  const { columns, method, unique = false, key = false, where } = definition
  const { name: table } = getTableConfig(of)
  // `changeIndex` takes this form.
  const statement =
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY "${name}" ON "${table}" USING ${method} ` +
    `(${columns.join(', ')})${where ? ` WHERE ${text(where)}` : ''}`
  return { name, table, columns, unique, key, statement }
}

const dialect = new PgDialect()
/** SQL without the names of tables, which an index may not have. */
const text = (expression: SQL) =>
  dialect.sqlToQuery(expression.inlineParams()).sql.replace(/(?:"\w+"\.)+"/g, '"')

/** Every column is ascending. */
function inSql(column: Partial<IndexedColumn | SQL>) {
  if (is(column, SQL)) return text(column)
  const { name = '', indexConfig } = column as IndexedColumn
  return indexConfig?.opClass ? `"${name}" ${indexConfig.opClass}` : `"${name}"`
}

/** PostgreSQL adds casts and parentheses, and ONLY for a partitioned table. */
const inShort = (definition: string) =>
  definition.toLowerCase().replace(/ concurrently| only(?= )|::\w+|["()\s]/g, '')
