import { lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { jobs } from '../../db/schema/jobs.ts'

/**
 * True for exactly one of all who ask within `seconds`: that one does the work. A row instead of a lock, because a lock of a
 * connection is lost behind a pooler; whoever dies with the work undone leaves it to the next turn.
 */
export async function claimJob (db: Db, name: string, seconds: number): Promise<boolean> {
  const claimed = await db.insert(jobs).values({ name, beganAt: sql`now()` })
    .onConflictDoUpdate({ target: jobs.name, set: { beganAt: sql`now()` }, setWhere: lt(jobs.beganAt, sql`now() - make_interval(secs => ${seconds}::float8)`) })
    .returning({ name: jobs.name })
  return claimed.length > 0
}
