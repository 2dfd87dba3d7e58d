import { and, asc, desc, getTableName, sql, Subquery } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/engine.ts'
import { estimateRows } from '../../db/estimate.ts'

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

/** Pages before the last may be short or empty. More rows follow when `next` is set. */
export interface Page<T> {
  items: T[]
  /** The position of the last row examined, if more follow. */
  next: unknown[] | undefined
}

/** For each sort key, columns that identify a row together and have an index in this order. */
type Orders<Sort extends string> = Record<Sort, AnyPgColumn[]>

interface Part {
  /** The position of a row in the sort order, to be selected with the other columns. */
  position: SQL<unknown[]>
  after: SQL | undefined
  orderBy: SQL[]
  /** One more row than requested, which shows whether there is a next page. */
  limit: number
}

type Row = { position: unknown[] }

/**
 * Returns one page by keyset: the rows after a position. All pages together list every row that is
 * not deleted exactly once, even if rows are added meanwhile. Every page costs the same.
 */
export async function page<Sort extends string, R extends Row>(
  window: Window<Sort>,
  orders: Orders<Sort>,
  select: (part: Part) => PromiseLike<R[]>
): Promise<Page<Omit<R, 'position'>>> {
  return cut(await select(partOf(window, orders)), window.limit)
}

/**
 * Up to this many matches are fetched through the filter's index and sorted; beyond that the sort
 * index is walked in steps of this size.
 */
const scanLimit = 5_000

interface Source {
  table: PgTable
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
 * @param select reads from `matches`, a derived table that goes by the name of the table
 */
export async function filteredPage<Sort extends string, R extends Row>(
  db: Db,
  window: Window<Sort>,
  orders: Orders<Sort>,
  { table, where, indexed = [], filter }: Source,
  select: (matches: Subquery<string, Record<string, unknown>>, part: Part) => PromiseLike<R[]>
): Promise<Page<Omit<R, 'position'>>> {
  const part = partOf(window, orders)
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
    return cut(await select(rows(table, and(all, part.after), sql`offset 0`), part), window.limit)
  }
  const walk = (which: SQL | undefined, rest: SQL) =>
    rows(
      table,
      and(where, part.after, which),
      sql`order by ${sql.join(part.orderBy, sql`, `)} ${rest}`
    )
  // Determines the last row to scan first, because rows may be added and deleted meanwhile.
  const [end] = await db
    .select({ position: part.position })
    .from(walk(undefined, sql`offset ${scanLimit - 1}::int limit 1`))
  const found = cut(
    await select(rows(walk(end && part.upTo(end.position), sql`offset 0`), all, sql``), part),
    window.limit
  )
  return found.next ? found : { ...found, next: end?.position }
}

function partOf<Sort extends string>({ limit, sort, after }: Window<Sort>, orders: Orders<Sort>) {
  const descending = sort.startsWith('-')
  const columns = orders[(descending ? sort.slice(1) : sort) as Sort]
  const names = sql.join(columns, sql`, `)
  const values = (position: unknown[]) =>
    sql`(${sql.join(
      position.map((value) => sql`${value}`),
      sql`, `
    )})`
  return {
    position: sql<unknown[]>`jsonb_build_array(${names})`,
    after: after && sql`(${names}) ${descending ? sql`<` : sql`>`} ${values(after)}`,
    upTo: (position: unknown[]) =>
      sql`(${names}) ${descending ? sql`>=` : sql`<=`} ${values(position)}`,
    orderBy: columns.map((column) => (descending ? desc(column) : asc(column))),
    limit: limit + 1
  }
}

function cut<R extends Row>(rows: R[], limit: number): Page<Omit<R, 'position'>> {
  const shown = rows.slice(0, limit)
  return {
    items: shown.map(({ position, ...item }) => item),
    next: rows.length > limit ? shown.at(-1)?.position : undefined
  }
}
