import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from './engine.ts'

/**
 * The number of rows that the planner expects of a query, from its statistics. It takes a fraction
 * of a millisecond and is right within a small factor.
 */
export async function estimateRows(db: Db, query: SQL): Promise<number> {
  const answer: unknown = await db.execute(sql`explain (format json) ${query}`)
  const text = JSON.stringify(answer) // the engines wrap the plan differently
  return Number(/"Plan Rows":(\d+)/.exec(text)?.[1] ?? Infinity)
}
