import fp from 'fastify-plugin'
import { readBacklog } from '../src/domain/webhooks/claim.ts'
import { createWebhookWorker } from '../src/domain/webhooks/worker.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The deliveries of this instance. Undefined where it delivers nothing. */
    webhooks: Webhooks | undefined
  }
}

interface Webhooks {
  totals: ReturnType<typeof createWebhookWorker>['totals']
  readBacklog(): ReturnType<typeof readBacklog>
}

/** Sends events to webhook endpoints and to functions of the app, in the background. */
export default fp(
  async (app) => {
    // A shell must not deliver: the servers do.
    if (app.surface === 'console') {
      app.decorate('webhooks', undefined)
      return
    }
    const { db, log, context } = app
    const worker = createWebhookWorker({
      ...{ db, sealing: context.sealing, sender: context.sender },
      functions: app.ownApp?.definition.on,
      isReady: () => app.readiness.reason() === undefined,
      log: {
        info: (details, message) => log.info(details, message),
        warn: (details, message) => log.warn(details, message),
        error: (details, message) => log.error(details, message)
      }
    })
    app.decorate('webhooks', { totals: worker.totals, readBacklog: () => readBacklog(db) })
    app.addHook('onReady', async function startWebhooks() {
      worker.start()
    })
    app.addHook('onClose', async function stopWebhooks() {
      await worker.stop()
    })
  },
  { name: 'webhooks', dependencies: ['config', 'db', 'health', 'context'] }
)
