import { and, asc, desc, getTableName, sql, Subquery } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/engine.ts'
import { estimateRows } from '../../db/estimate.ts'

/** What part of a list is asked for: how many rows, in which order, after which row. */
export interface Window<Sort extends string> {
  limit: number
  /** A sort key, or one with a minus before it: the other way round. */
  sort: Sort | `-${Sort}`
  /** The position of the last row of the page before. */
  after?: unknown[] | undefined
}

/** May be short, even empty, before the last one: `next` says whether more follow. */
export interface Page<T> {
  items: T[]
  /** The position of the last row looked at, when more follow. */
  next: unknown[] | undefined
}

/** By sort key: columns that together name each row once, and have an index in this order. */
type Orders<Sort extends string> = Record<Sort, AnyPgColumn[]>

interface Part {
  /** Select it beside the columns: the values that say where the row stands in the order. */
  position: SQL<unknown[]>
  after: SQL | undefined
  orderBy: SQL[]
  /** One row more than asked for shows whether there is a next page. */
  limit: number
}

type Row = { position: unknown[] }

/**
 * One page by keyset: the rows after a position. A walk sees every row that stays, once, however many are added meanwhile;
 * a page costs the same wherever it is.
 */
export async function page<Sort extends string, R extends Row>(
  window: Window<Sort>,
  orders: Orders<Sort>,
  select: (part: Part) => PromiseLike<R[]>
): Promise<Page<Omit<R, 'position'>>> {
  return cut(await select(partOf(window, orders)), window.limit)
}

/** So many matches are read by an index of their own and sorted; of more the order's index is walked, so many rows at a time. */
const reach = 5_000

interface Source {
  table: PgTable
  /** The part of the filter that is in the order's index. */
  where?: SQL | undefined
  /** The rest: what has an index of its own, and what has none. */
  indexed?: (SQL | undefined)[]
  filter?: SQL | undefined
}

/**
 * One page of a list whose filter has no index in the order asked for. What one of the filter's own indexes finds little of is all
 * read, and sorted. Else the order's index is walked, and no farther than `reach`: where matches are rare the page is short, and costs no more.
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
    if (!each || (await estimateRows(db, sql`select 1 from ${table} where ${each}`)) > reach) {
      continue
    }
    // "offset 0" keeps the planner from walking the order's index after all, in the hope of meeting them early.
    return cut(await select(rows(table, and(all, part.after), sql`offset 0`), part), window.limit)
  }
  const walk = (which: SQL | undefined, rest: SQL) =>
    rows(
      table,
      and(where, part.after, which),
      sql`order by ${sql.join(part.orderBy, sql`, `)} ${rest}`
    )
  // Where the reach ends is settled first, and not by counting again: rows may come and go meanwhile.
  const [end] = await db
    .select({ position: part.position })
    .from(walk(undefined, sql`offset ${reach - 1}::int limit 1`))
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
