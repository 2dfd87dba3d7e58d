import fp from 'fastify-plugin'
import type { Principal } from '../src/domain/sessions/principals.ts'
import { writeLastSeen } from '../src/domain/sessions/sessions.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Notes that a session was used at this time (ms). Waits for the database only when the note could come too late to keep it alive. */
    markSeen(principal: Principal, now: number): Promise<void> | undefined
  }
}

const flushInterval = 60_000
const batchSize = 1000

/** Keeps `lastSeenAt` off the request path: once a minute per session, many in one statement, and the rest at the end. */
export default fp(
  async (app) => {
    const { SESSION_IDLE_SECONDS: idleSeconds } = app.config
    const lateAfter = idleSeconds * 1000 - 2 * flushInterval
    let pending = new Set<Principal>()

    app.decorate('markSeen', (principal, now) => {
      if (now > principal.lastSeen) principal.lastSeen = now
      if (now - principal.lastSeenWritten > lateAfter) return write([principal])
      pending.add(principal)
    })

    const write = async (seen: Principal[]) => {
      const rows = seen.map(({ session, lastSeen }): [string, Date] => [
        session.id,
        new Date(lastSeen)
      ])
      await writeLastSeen(app.db, rows, idleSeconds)
      rows.forEach(([, at], i) => {
        if (seen[i]) seen[i].lastSeenWritten = at.getTime()
      })
    }
    const flush = async () => {
      const all = [...pending]
      pending = new Set()
      for (let start = 0; start < all.length; start += batchSize) {
        const batch = all.slice(start, start + batchSize)
        await write(batch).catch((error: unknown) => {
          app.log.warn({ err: error }, 'last-seen not written, kept for the next round')
          for (const principal of batch) pending.add(principal)
        })
      }
    }
    const timer = setInterval(flush, flushInterval).unref()
    app.addHook('onClose', async () => {
      clearInterval(timer)
      await flush()
    })
  },
  { name: 'last-seen', dependencies: ['config', 'db'] }
)
