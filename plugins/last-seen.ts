import fp from 'fastify-plugin'
import type { Principal } from '../src/domain/sessions.ts'
import { writeLastSeen } from '../src/domain/sessions.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Notes that a session was used. Waits for the database only when the note could come too late to keep it alive. */
    markSeen (principal: Principal): Promise<void> | undefined
  }
}

const flushInterval = 60_000
const batchSize = 1000

/** Keeps `lastSeenAt` off the request path: once a minute per session, many in one statement, and the rest at the end. */
export default fp(async (app) => {
  const { SESSION_IDLE_SECONDS: idleSeconds } = app.config
  const lateAfter = idleSeconds * 1000 - 2 * flushInterval
  let pending = new Map<string, Date>()

  app.decorate('markSeen', ({ session, now }) => {
    if (now.getTime() - session.lastSeenAt.getTime() > lateAfter) return writeLastSeen(app.db, [[session.id, now]], idleSeconds)
    pending.set(session.id, now)
  })

  const flush = async () => {
    const batch = [...pending]
    pending = new Map()
    for (let start = 0; start < batch.length; start += batchSize) {
      await writeLastSeen(app.db, batch.slice(start, start + batchSize), idleSeconds).catch((error: unknown) => {
        app.log.warn({ err: error }, 'last-seen not written, kept for the next round')
        for (const [id, at] of batch.slice(start, start + batchSize)) if (!pending.has(id)) pending.set(id, at)
      })
    }
  }
  const timer = setInterval(flush, flushInterval).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await flush()
  })
}, { name: 'last-seen', dependencies: ['config', 'db'] })
