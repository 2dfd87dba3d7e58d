import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { requiresSession } from '../src/domain/permissions.ts'
import { createProcessBudget } from '../src/domain/throttling/process-budget.ts'
import { every } from '../src/every.ts'
import { isSafe } from '../src/http/methods.ts'

const sweepInterval = 60_000

/** Limits the rate of changes by a signed-in user. It stops a runaway script, but not a person. */
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
    app.addHook('onRoute', function addWriteLimit(route) {
      if (isSafe(String(route.method)) || !requiresSession(route.config?.access)) return
      // After the route's access policy, which finds the user.
      route.onRequest = [...[route.onRequest ?? []].flat(), limitWrites]
    })

    const sweep = every(sweepInterval, async () => {
      budget.sweep()
    })
    app.addHook('onClose', sweep.stop)
  },
  { name: 'write-limit', dependencies: ['config', 'permissions'] }
)
