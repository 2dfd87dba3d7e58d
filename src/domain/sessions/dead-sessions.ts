import { sql } from 'drizzle-orm'
import { ofDays } from '../../../db/intervals.ts'
import { endedAt, sessions } from '../../../db/schema/sessions.ts'
import type { OldRows } from '../old-rows.ts'

/** Dead sessions are kept for this time, for investigations. */
const keptDays = 30

/**
 * Sessions that were revoked or have expired more than thirty days ago. One that was idle for too
 * long goes when it would have expired: no index may contain the time of its last use, because
 * writing that time would then change the index.
 */
export const deadSessions: OldRows = {
  table: sessions,
  key: sessions.id,
  at: endedAt,
  before: sql`now() - ${ofDays(keptDays)}`
}
