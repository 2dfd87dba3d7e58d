import { and, asc, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { ofDays, ofSeconds } from '../../../db/intervals.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { retried } from '../../../db/transaction.ts'

/** Dead sessions are kept for this time, for investigations. */
const keptDays = 30

interface Place {
  createdAt: Date
  id: string
}

/**
 * Examines the next `batch` sessions after `place`, oldest first, and deletes those that ended more
 * than thirty days ago. Returns their number and the next place, undefined at the end. Does not
 * bump scopes, because these sessions are already invalid.
 */
export async function deleteDeadSessions(
  db: Db,
  idleSeconds: number,
  place: Place | undefined,
  batch: number
) {
  const old = sql`now() - ${ofDays(keptDays)}`
  const rows = await db
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      dead: sql<boolean>`least(
        coalesce(${sessions.revokedAt}, 'infinity'),
        ${sessions.expiresAt},
        ${sessions.lastSeenAt} + ${ofSeconds(idleSeconds)}
      ) < ${old}`
    })
    .from(sessions)
    .where(
      and(
        lt(sessions.createdAt, old),
        place &&
          sql`(${sessions.createdAt}, ${sessions.id}) >
            (${place.createdAt.toISOString()}::timestamptz, ${place.id}::uuid)`
      )
    )
    .orderBy(asc(sessions.createdAt), asc(sessions.id))
    .limit(batch)
  const dead = rows.filter((row) => row.dead).map(({ id }) => id)
  if (dead.length > 0) await retried(() => db.delete(sessions).where(inArray(sessions.id, dead)))
  return { deleted: dead.length, next: rows.length === batch ? rows.at(-1) : undefined }
}
