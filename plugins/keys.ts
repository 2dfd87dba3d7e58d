import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { createKeyCache } from '../src/domain/keys/key-cache.ts'
import type { RejectedKey } from '../src/domain/keys/key-cache.ts'
import { createKeyUses, flushInterval } from '../src/domain/keys/key-uses.ts'
import { createProcessBudget } from '../src/domain/throttling/budgets.ts'
import { runEvery } from '../src/repeat.ts'
import { createKeyAuthentication } from '../src/http/key-authentication.ts'
import type { PresentedKey } from '../src/http/key-authentication.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Puts the API key on the request, or calls back with a refusal. */
    authenticateKey: ReturnType<typeof createKeyAuthentication<FastifyRequest>>
  }
  interface FastifyRequest {
    /** The API key of a request that was admitted with one. */
    presentedKey: PresentedKey | null
  }
}

export default fp(
  async (app) => {
    const uses = createKeyUses(app.db, (error) => {
      app.warnRarely(error, 'the use of API keys was not stored')
    })
    const unknownKeys = createProcessBudget('unknown-keys', app.config.THROTTLE_UNKNOWN_KEYS)
    const keys = createKeyCache(app.database.checkDb, app.snapshots, app.areUserTagsCurrent)
    app.decorateRequest('presentedKey', null)
    const onRejected = (request: FastifyRequest, { reason, ...details }: RejectedKey) => {
      void app.noteRefusal(request, reason, details)
    }
    app.decorate(
      'authenticateKey',
      createKeyAuthentication({ keys, uses, unknownKeys, onRejected })
    )
    const flushing = runEvery(flushInterval, async () => {
      unknownKeys.sweep()
      await uses.flush()
    })
    app.addHook('onClose', async function writeKeyUses() {
      await flushing.stop()
      await uses.flush()
      await uses.close()
    })
  },
  { name: 'keys', dependencies: ['config', 'db', 'freshness'] }
)
