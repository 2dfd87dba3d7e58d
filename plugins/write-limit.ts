import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { RefusalDetails } from '../src/domain/errors.ts'
import { requiresKey, requiresSession } from '../src/domain/permissions.ts'
import { createProcessBudget, inTotal } from '../src/domain/throttling/budgets.ts'
import { runEvery } from '../src/repeat.ts'
import { requireKeyCaller } from '../src/http/key-authentication.ts'
import { isRead } from '../src/http/methods.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * With this change a user ends what a thief has. It is counted for its session alone and apart
     * from other changes, so that a thief with another session or a key cannot use its limit up.
     */
    protects?: true
  }
}

const sweepInterval = 60_000

/**
 * Limits the changes of each session and each key, and of all of one owner together. It stops a
 * runaway script, but not a person.
 */
export default fp(
  async (app) => {
    const own = createProcessBudget('writes', app.config.THROTTLE_WRITES)
    const total = createProcessBudget('writes', inTotal(app.config.THROTTLE_WRITES))
    const protecting = createProcessBudget('writes', app.config.THROTTLE_WRITES)

    /** Counts a change for both, or for none. */
    const charge = (callerId: string, ownerId: string, details: RefusalDetails) =>
      total.refusal(ownerId, details) ??
      own.charge(callerId, details) ??
      total.charge(ownerId, details)
    function limitWrites(
      { user, session }: FastifyRequest,
      _reply: FastifyReply,
      done: (e?: Error) => void
    ) {
      done(charge(session.id, user.id, { userId: user.id }))
    }
    function limitProtectingWrites(
      { user, session }: FastifyRequest,
      _reply: FastifyReply,
      done: (e?: Error) => void
    ) {
      done(protecting.charge(session.id, { userId: user.id }))
    }
    function limitKeyWrites(
      request: FastifyRequest,
      _reply: FastifyReply,
      done: (e?: Error) => void
    ) {
      const { owner, key } = requireKeyCaller(request)
      const userId = owner.type === 'user' ? owner.id : undefined
      done(charge(key.id, owner.id, { userId, key: key.id }))
    }
    app.addHook('onRoute', function addWriteLimit(route) {
      const { access, protects } = route.config ?? {}
      if (isRead(route)) return
      const limit = requiresSession(access)
        ? protects
          ? limitProtectingWrites
          : limitWrites
        : requiresKey(access)
          ? limitKeyWrites
          : undefined
      // After the route's access policy, which finds the user or the key.
      if (limit) route.onRequest = [...[route.onRequest ?? []].flat(), limit]
    })

    const sweep = runEvery(sweepInterval, async () => {
      for (const each of [own, total, protecting]) each.sweep()
    })
    app.addHook('onClose', sweep.stop)
  },
  { name: 'write-limit', dependencies: ['config', 'permissions'] }
)
