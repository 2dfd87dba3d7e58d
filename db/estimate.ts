import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './engine.ts'

/**
 * The number of rows that the planner expects of a query, from its statistics. It takes a fraction
 * of a millisecond and is right within a small factor. Infinity when the engine does not say.
 */
export async function estimateRows(db: Db, query: SQL): Promise<number> {
  // As text: not every engine has `format json`. The first estimate is that of the whole query.
  const answer: unknown = await db.execute(sql`explain ${query}`)
  const text = JSON.stringify(answer) // the engines wrap the plan differently
  return Number(/\brows=(\d+)/.exec(text)?.[1] ?? Infinity)
}

/** The size from which the rows of a table are no longer counted. */
const large = 100_000

/**
 * The number of rows of a table that meet a condition: counted, or estimated if the table is large.
 */
export async function countOrEstimate(db: Db, table: PgTable, where: SQL = sql`true`) {
  const size = await estimateRows(db, sql`select 1 from ${table}`)
  const approximate = size > large && size < Infinity
  const count = approximate
    ? await estimateRows(db, sql`select 1 from ${table} where ${where}`)
    : await db.$count(table, where)
  return { count, approximate }
}
