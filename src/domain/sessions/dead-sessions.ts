import { and, asc, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { ofDays, ofSeconds } from '../../../db/intervals.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { retried } from '../../../db/transaction.ts'

/** Who looks into what happened still finds them for so long. */
const keptDays = 30

interface Place {
  createdAt: Date
  id: string
}

/**
 * Looks at the next `batch` sessions after `place`, the oldest first, and deletes those that ended more than thirty days ago.
 * Returns how many that were and the place to go on from, undefined at the end. No scope is bumped: what is dead signed nobody in.
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
      dead: sql<boolean>`least(coalesce(${sessions.revokedAt}, 'infinity'), ${sessions.expiresAt}, ${sessions.lastSeenAt} + ${ofSeconds(idleSeconds)}) < ${old}`
    })
    .from(sessions)
    .where(
      and(
        lt(sessions.createdAt, old),
        place &&
          sql`(${sessions.createdAt}, ${sessions.id}) > (${place.createdAt.toISOString()}::timestamptz, ${place.id}::uuid)`
      )
    )
    .orderBy(asc(sessions.createdAt), asc(sessions.id))
    .limit(batch)
  const dead = rows.filter((row) => row.dead).map(({ id }) => id)
  if (dead.length > 0) await retried(() => db.delete(sessions).where(inArray(sessions.id, dead)))
  return { deleted: dead.length, next: rows.length === batch ? rows.at(-1) : undefined }
}
