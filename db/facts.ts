import { sql } from 'drizzle-orm'
import type { Db } from './client.ts'

/** What an operator wants to know of the database server. Durations as PostgreSQL writes them, `0` is none. */
export async function serverFacts (db: Db) {
  const [facts] = await db.select({
    /** Major version. */
    version: sql<number>`current_setting('server_version_num')::int / 10000`,
    /** Its clock, in milliseconds since 1970. */
    now: sql<number>`extract(epoch from clock_timestamp()) * 1000`.mapWith(Number),
    statementTimeout: sql<string>`current_setting('statement_timeout')`,
    lockTimeout: sql<string>`current_setting('lock_timeout')`,
    idleInTransactionTimeout: sql<string>`current_setting('idle_in_transaction_session_timeout')`
  }).from(sql`(select 1) as one`)
  if (!facts) throw new Error('the database says nothing of itself')
  return facts
}
