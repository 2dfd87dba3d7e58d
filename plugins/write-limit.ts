import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { requiresKey, requiresSession } from '../src/domain/permissions.ts'
import { createProcessBudget } from '../src/domain/throttling/process-budget.ts'
import { every } from '../src/every.ts'
import { requireKeyCaller } from '../src/http/key-authentication.ts'
import { isSafe } from '../src/http/methods.ts'

const sweepInterval = 60_000

/** Limits the changes of a user or a service. It stops a runaway script, but not a person. */
export default fp(
  async (app) => {
    const budget = createProcessBudget('writes', app.config.THROTTLE_WRITES)

    function limitWrites(
      { user }: FastifyRequest,
      _reply: FastifyReply,
      done: (e?: Error) => void
    ) {
      done(budget.charge(user.id, { userId: user.id }))
    }
    function limitKeyWrites(
      request: FastifyRequest,
      _reply: FastifyReply,
      done: (e?: Error) => void
    ) {
      const { owner, key } = requireKeyCaller(request)
      const userId = owner.type === 'user' ? owner.id : undefined
      done(budget.charge(owner.id, { userId, key: key.id }))
    }
    app.addHook('onRoute', function addWriteLimit(route) {
      const access = route.config?.access
      if (isSafe(String(route.method))) return
      const limit = requiresSession(access)
        ? limitWrites
        : requiresKey(access)
          ? limitKeyWrites
          : undefined
      // After the route's access policy, which finds the user or the key.
      if (limit) route.onRequest = [...[route.onRequest ?? []].flat(), limit]
    })

    const sweep = every(sweepInterval, async () => {
      budget.sweep()
    })
    app.addHook('onClose', sweep.stop)
  },
  { name: 'write-limit', dependencies: ['config', 'permissions'] }
)
