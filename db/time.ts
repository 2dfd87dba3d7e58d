import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from './engine.ts'
import { users } from './schema/users.ts'

/**
 * The time of the database now, not at the beginning of the transaction. Read after a lock, it
 * follows the times of all transactions that had the lock before.
 */
export async function readTime(tx: Db): Promise<Date> {
  const [row] = await tx
    .select({ at: sql<Date>`clock_timestamp()::timestamptz(3)`.mapWith(users.createdAt) })
    .from(sql`(select) as one`)
  if (!row) throw new Error('the database did not tell the time')
  return row.at
}

// Numbers are parameters: with another one in its text, each statement would be prepared again.

export const ofSeconds = (count: number | SQL): SQL => sql`make_interval(secs => ${count}::float8)`
export const ofDays = (count: number): SQL => sql`make_interval(days => ${count}::int)`
