import { and, asc, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { activity, feedLimit } from '../../../db/schema/activity.ts'
import type { ActivityRow } from '../../../db/schema/activity.ts'
import { uuidForm } from '../../../db/schema/columns.ts'
import { DomainError } from '../errors.ts'
import { described } from './list.ts'

/** Where the feed goes on after a record. */
export const feedCursor = ({ at, id }: Pick<ActivityRow, 'at' | 'id'>) =>
  `${at.toISOString()}_${id}`

const first = '00000000-0000-0000-0000-000000000000'

function positionOf(cursor: string) {
  const [time = '', id = first] = cursor.split('_')
  const at = new Date(time)
  if (Number.isNaN(at.getTime()) || !uuidForm.test(id)) throw new DomainError('invalid-cursor')
  return sql`(${activity.at}, ${activity.id}) > (${at.toISOString()}::timestamptz, ${id}::uuid)`
}

/**
 * The records after a cursor, or the oldest ones, in their order: each exactly once. A record has
 * the time at which its transaction began, so one that commits later could be behind the cursor. So
 * the feed ends 15 seconds ago, which is longer than a transaction takes, and before every
 * transaction that has written and still runs: a COMMIT can wait for a standby. Throws
 * `invalid-cursor`.
 */
export async function readFeed(
  db: Db,
  { after, limit = feedLimit }: { after?: string | undefined; limit?: number | undefined }
) {
  const isAfter = after === undefined ? undefined : positionOf(after)
  // In a statement before that of the records: what it no longer sees running, they contain.
  const [end] = await db
    .select({
      at: sql<Date>`date_trunc('milliseconds', least(now() - interval '15 seconds', (
        select min(xact_start) from pg_stat_activity
        where datname = current_database() and backend_xid is not null)))`.mapWith(activity.at)
    })
    .from(sql`(select) as one`)
  const items = await db
    .select()
    .from(activity)
    .where(and(end && lt(activity.at, end.at), isAfter))
    .orderBy(asc(activity.at), asc(activity.id))
    .limit(limit)
  const last = items.at(-1)
  return { items: items.map(described), next: last ? feedCursor(last) : (after ?? null) }
}
