import { and, asc, desc, getTableName, sql, Subquery } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { AnyPgColumn, PgTable, SelectedFields } from 'drizzle-orm/pg-core'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import type { Db } from '../../db/engine.ts'
import { estimateRows } from '../../db/server-info.ts'

/**
 * The requested part of a list: the number of rows, the sort key and the position to continue from.
 */
export interface Window<Sort extends string> {
  limit: number
  /** A sort key, with a minus for descending order. */
  sort: Sort | `-${Sort}`
  /** The position of the last row of the previous page. */
  after?: unknown[] | undefined
}

/** A part of a list of things with keys that has these words. */
export type Search<Sort extends string> = Window<Sort> & { q?: string | undefined }

/** Pages before the last may be short or empty. More rows follow when `next` is set. */
export interface Page<T> {
  items: T[]
  /** The position of the last row examined, if more follow. */
  next: unknown[] | undefined
}

interface List<Sort extends string, Columns> {
  table: PgTable
  columns: Columns & SelectedFields
  /** For each sort key, columns that identify a row together and have an index in this order. */
  orders: Record<Sort, AnyPgColumn[]>
}

/**
 * Returns one page by keyset: the rows after a position. All pages together list every row that is
 * not deleted exactly once, even if rows are added meanwhile. Every page costs the same.
 */
export async function page<Sort extends string, Columns>(
  db: Db,
  list: List<Sort, Columns>,
  window: Window<Sort>,
  where?: SQL
) {
  const { after, read } = partOf(db, list, window)
  return cut<Columns>(await read(list.table, and(where, after)), window)
}

/**
 * Returns one page of rows that meet any of several conditions, of which no row meets two. Merges
 * scans of several indexes, each of which ends after one page.
 */
export async function mergedPage<Sort extends string, Columns>(
  db: Db,
  list: List<Sort, Columns>,
  window: Window<Sort>,
  conditions: (SQL | undefined)[]
) {
  const { after, orderBy, read } = partOf(db, list, window)
  const [first, second, ...others] = conditions.map((each) => read(list.table, and(each, after)))
  if (!first || !second) throw new Error('there is nothing to merge')
  const merged = unionAll(first, second, ...others)
  return cut<Columns>(await merged.orderBy(...orderBy).limit(window.limit + 1), window)
}

/**
 * Up to this many matches are fetched through the filter's index and sorted; beyond that the sort
 * index is walked in steps of this size.
 */
const scanLimit = 5_000

interface Filter {
  /** The part of the filter that the sort index covers. */
  where?: SQL | undefined
  /** The rest of the filter, with or without indexes. */
  indexed?: (SQL | undefined)[]
  filter?: SQL | undefined
}

/**
 * Returns one page of a list whose filter has no index in the requested order. If an index of the
 * filter finds few rows, all of them are read and sorted. Otherwise the sort index is walked, but
 * no further than `scanLimit`: with rare matches the page is short instead of expensive.
 */
export async function filteredPage<Sort extends string, Columns>(
  db: Db,
  list: List<Sort, Columns>,
  window: Window<Sort>,
  { where, indexed = [], filter }: Filter
) {
  const { table } = list
  const { position, after, upTo, orderBy, read } = partOf(db, list, window)
  /** A derived table that goes by the name of the table. */
  const rows = (from: PgTable | Subquery, which: SQL | undefined, rest: SQL) =>
    new Subquery<string, Record<string, unknown>>(
      sql`select * from ${from} where ${which ?? sql`true`} ${rest}`,
      {},
      getTableName(table)
    )
  const all = and(where, ...indexed, filter)
  for (const each of indexed) {
    if (!each || (await estimateRows(db, sql`select 1 from ${table} where ${each}`)) > scanLimit) {
      continue
    }
    // "offset 0" prevents the planner from walking the sort index in the hope of early matches.
    return cut<Columns>(await read(rows(table, and(all, after), sql`offset 0`)), window)
  }
  const walk = (which: SQL | undefined, rest: SQL) =>
    rows(table, and(where, after, which), sql`order by ${sql.join(orderBy, sql`, `)} ${rest}`)
  // Determines the last row to scan first, because rows may be added and deleted meanwhile.
  const [end] = await db
    .select({ position })
    .from(walk(undefined, sql`offset ${scanLimit - 1}::int limit 1`))
  const scanned = walk(end && upTo(end.position), sql`offset 0`)
  const found = cut<Columns>(await read(rows(scanned, all, sql``)), window)
  return found.next ? found : { ...found, next: end?.position }
}

function partOf<Sort extends string>(
  db: Db,
  { columns, orders }: List<Sort, unknown>,
  { limit, sort, after }: Window<Sort>
) {
  const descending = sort.startsWith('-')
  const order = orders[(descending ? sort.slice(1) : sort) as Sort]
  const names = sql.join(order, sql`, `)
  const values = (position: unknown[]) =>
    sql`(${sql.join(
      position.map((value) => sql`${value}`),
      sql`, `
    )})`
  const orderBy = order.map((column) => (descending ? desc(column) : asc(column)))
  /** The position of a row in the sort order. */
  const position = sql<unknown[]>`jsonb_build_array(${names})`.as('position')
  return {
    position,
    after: after && sql`(${names}) ${descending ? sql`<` : sql`>`} ${values(after)}`,
    upTo: (position: unknown[]) =>
      sql`(${names}) ${descending ? sql`>=` : sql`<=`} ${values(position)}`,
    orderBy,
    /** Reads one more row than requested, which shows whether there is a next page. */
    read: (from: PgTable | Subquery<string, Record<string, unknown>>, where?: SQL) =>
      db
        .select({ ...columns, position })
        .from(from)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit + 1)
  }
}

function cut<Columns>(
  rows: { position: unknown[] }[],
  { limit }: { limit: number }
): Page<SelectResultFields<Columns>> {
  const shown = rows.slice(0, limit)
  return {
    items: shown.map(({ position, ...item }) => item as SelectResultFields<Columns>),
    next: rows.length > limit ? shown.at(-1)?.position : undefined
  }
}
