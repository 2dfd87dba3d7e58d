import fp from 'fastify-plugin'
import { createRefusalLog } from '../src/domain/activity/refusals.ts'
import type { Noted } from '../src/domain/errors.ts'
import { every } from '../src/every.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Records that a request was refused, where the reason is worth a record: a missing permission, a forged token, another site, too many tries. */
    noteRefusal(request: FastifyRequest, reason: string, noted?: Noted): Promise<void>
  }
}

const flushInterval = 60_000

export default fp(
  async (app) => {
    const refusals = createRefusalLog(app.db, (error) => {
      app.log.warn({ err: error }, 'a refusal was not recorded') // it stands all the same
    })
    app.decorate('noteRefusal', (request, reason, noted) => {
      const { method, routeOptions, actor } = request
      const { access } = routeOptions.config
      return refusals.note({
        reason,
        actor,
        route: `${method} ${routeOptions.url ?? '(no route)'}`,
        permission: typeof access === 'object' ? access.permission : undefined,
        noted
      })
    })
    const flushing = every(flushInterval, refusals.flush)
    app.addHook('onClose', async function recordRefusals() {
      await flushing.stop()
      await refusals.close()
    })
  },
  { name: 'refusals', dependencies: ['actor', 'db'] }
)
