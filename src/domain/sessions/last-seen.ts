import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { ofSeconds } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import type { Principal } from './principals.ts'

/** Milliseconds between two flushes. */
export const flushInterval = 60_000
const rowsAtOnce = 1000

/**
 * Keeps `lastSeenAt` off the request path: once a minute per session, many in one statement.
 * @param onError called when a batch could not be stored; the next flush retries it
 */
export function createLastSeen(db: Db, idleSeconds: number, onError: (error: unknown) => void) {
  /** A time written later than this could come too late to keep the session alive. */
  const lateAfter = idleSeconds * 1000 - 2 * flushInterval
  let pending = new Set<Principal>()

  const write = async (seen: Principal[]) => {
    const uses = seen.map((principal) => ({ principal, at: principal.lastSeen }))
    const rows = uses.map(({ principal, at }) => [principal.session.id, new Date(at)] as const)
    await writeLastSeen(db, rows, idleSeconds)
    for (const { principal, at } of uses) principal.lastSeenWritten = at
  }
  return {
    /**
     * Notes a use of a session at this time (ms). Returns a promise if it must be stored at once.
     */
    mark(principal: Principal, now: number): Promise<void> | undefined {
      if (now > principal.lastSeen) principal.lastSeen = now
      if (now - principal.lastSeenWritten > lateAfter) return write([principal])
      pending.add(principal)
    },
    async flush() {
      const all = [...pending]
      pending = new Set()
      for (let start = 0; start < all.length; start += rowsAtOnce) {
        const batch = all.slice(start, start + rowsAtOnce)
        await write(batch).catch((error: unknown) => {
          onError(error)
          for (const principal of batch) pending.add(principal)
        })
      }
    }
  }
}

/** Calls `updateLastSeen` in a transaction of its own. */
export const writeLastSeen = (db: Db, seen: Seen, idleSeconds: number) =>
  transaction(db, (tx) => updateLastSeen(tx, seen, idleSeconds))

type Seen = Iterable<readonly [id: string, at: Date]>

/**
 * Stores last-seen times in one statement. Never decreases them, and skips sessions that are
 * revoked or were idle for too long, which a late write must not revive. Locks rows in the order of
 * their ids, because instances may write the same ones concurrently.
 */
export async function updateLastSeen(tx: Db, seen: Seen, idleSeconds: number) {
  const rows = JSON.stringify(Array.from(seen, ([id, at]) => ({ id, at })))
  await tx.execute(sql`
    with seen as (
      select id, max(at) as at
      from jsonb_to_recordset(${rows}::text::jsonb) as each(id uuid, at timestamptz(3))
      group by id
    ), locked as (
      select ${sessions.id}, seen.at from ${sessions} join seen on seen.id = ${sessions.id}
      where ${sessions.revokedAt} is null
        and ${sessions.lastSeenAt} < seen.at
        and ${sessions.lastSeenAt} > seen.at - ${ofSeconds(idleSeconds)}
      order by ${sessions.id} for no key update of ${sessions}
    )
    update ${sessions} set last_seen_at = greatest(${sessions.lastSeenAt}, locked.at)
    from locked where ${sessions.id} = locked.id`)
}
