import { asc, desc, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/** What part of a list is asked for: how many rows, in which order, after which row. */
export interface Window<Sort extends string> {
  limit: number
  /** A sort key, or one with a minus before it: the other way round. */
  sort: Sort | `-${Sort}`
  /** The position of the last row of the page before. */
  after?: unknown[] | undefined
}

export interface Page<T> {
  items: T[]
  /** The position of the last item, when more follow. */
  next: unknown[] | undefined
}

interface Part {
  /** Select it beside the columns: the values that say where the row stands in the order. */
  position: SQL<unknown[]>
  after: SQL | undefined
  orderBy: SQL[]
  /** One row more than asked for shows whether there is a next page. */
  limit: number
}

/**
 * One page by keyset: the rows after a position, in the order of columns that name each row once and have an index.
 * A walk sees every row that stays, once, however many are added meanwhile; a page costs the same wherever it is.
 */
export async function page<Sort extends string, Row extends { position: unknown[] }> (
  { limit, sort, after }: Window<Sort>,
  orders: Record<Sort, AnyPgColumn[]>,
  select: (part: Part) => PromiseLike<Row[]>
): Promise<Page<Omit<Row, 'position'>>> {
  const descending = sort.startsWith('-')
  const columns = orders[(descending ? sort.slice(1) : sort) as Sort]
  const rows = await select({
    position: sql<unknown[]>`jsonb_build_array(${sql.join(columns, sql`, `)})`,
    after: after && sql`(${sql.join(columns, sql`, `)}) ${descending ? sql`<` : sql`>`} (${sql.join(after.map((value) => sql`${value}`), sql`, `)})`,
    orderBy: columns.map((column) => descending ? desc(column) : asc(column)),
    limit: limit + 1
  })
  const shown = rows.slice(0, limit)
  return {
    items: shown.map(({ position, ...item }) => item),
    next: rows.length > limit ? shown.at(-1)?.position : undefined
  }
}
