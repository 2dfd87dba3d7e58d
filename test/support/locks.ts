import { sql } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'

/** The number of connections to this database that wait for a lock. PostgreSQL only. */
export async function waitingForLocks(db: Db) {
  const rows = await db
    .select({ pid: sql`pid` })
    .from(sql`pg_stat_activity`)
    .where(sql`datname = current_database() and wait_event_type = 'Lock'`)
  return rows.length
}
