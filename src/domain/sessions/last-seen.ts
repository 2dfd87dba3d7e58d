import type { Db } from '../../../db/engine.ts'
import type { Principal } from './principals.ts'
import { writeLastSeen } from './sessions.ts'

/** Milliseconds between two flushes. */
export const flushInterval = 60_000
const batchSize = 1000

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
      for (let start = 0; start < all.length; start += batchSize) {
        const batch = all.slice(start, start + batchSize)
        await write(batch).catch((error: unknown) => {
          onError(error)
          for (const principal of batch) pending.add(principal)
        })
      }
    }
  }
}
