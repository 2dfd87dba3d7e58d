import fp from 'fastify-plugin'
import { createLastSeen, flushInterval } from '../src/domain/sessions/last-seen.ts'
import { runEvery } from '../src/repeat.ts'

declare module 'fastify' {
  interface FastifyInstance {
    markSeen: ReturnType<typeof createLastSeen>['mark']
  }
}

export default fp(
  async (app) => {
    if (app.surface === 'console') return
    const lastSeen = createLastSeen(app.db, app.config.SESSION_IDLE_SECONDS, (error) => {
      app.warnRarely(error, 'last-seen times not stored, will be tried again')
    })
    app.decorate('markSeen', lastSeen.mark)
    const flushing = runEvery(flushInterval, lastSeen.flush)
    app.addHook('onClose', async function writeLastSeen() {
      await flushing.stop()
      await lastSeen.flush()
    })
  },
  { name: 'last-seen', dependencies: ['config', 'db'] }
)
