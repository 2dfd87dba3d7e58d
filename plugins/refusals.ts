import fp from 'fastify-plugin'
import { createRefusalLog } from '../src/domain/activity/refusals.ts'
import type { RefusalDetails } from '../src/domain/errors.ts'
import { runEvery } from '../src/repeat.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Records a refused request for significant reasons: a missing permission, a forged token, a
     * cross-site request, too many attempts.
     */
    noteRefusal(request: FastifyRequest, reason: string, details?: RefusalDetails): Promise<void>
  }
}

const flushInterval = 60_000

export default fp(
  async (app) => {
    const refusals = createRefusalLog(app.db, (error) => {
      // The request is still refused.
      app.warnRarely(error, 'the activity record of a refusal was not stored')
    })
    app.decorate('noteRefusal', (request, reason, details) => {
      const { method, routeOptions, actor } = request
      const route = `${method} ${routeOptions.url ?? '(no route)'}`
      return refusals.note({ reason, actor, route, details })
    })
    const flushing = runEvery(flushInterval, () => refusals.flush())
    app.addHook('onClose', async function recordRefusals() {
      await flushing.stop()
      await refusals.close()
    })
  },
  { name: 'refusals', dependencies: ['actor', 'db'] }
)
