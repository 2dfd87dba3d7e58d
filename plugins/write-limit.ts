import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { DomainError, RefusalDetails } from '../src/domain/errors.ts'
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

/** Counts a change, or returns a refusal. */
type Count = (request: FastifyRequest) => DomainError | undefined

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
    const bySession: Count = ({ user, session }) => charge(session.id, user.id, { userId: user.id })
    const byProtectedSession: Count = ({ user, session }) =>
      protecting.charge(session.id, { userId: user.id })
    const byKey: Count = (request) => {
      const { owner, key } = requireKeyCaller(request)
      const userId = owner.type === 'user' ? owner.id : undefined
      return charge(key.id, owner.id, { userId, key: key.id })
    }
    app.addHook('onRoute', function addWriteLimit(route) {
      const { access, protects } = route.config ?? {}
      if (isRead(route)) return
      const ofSession = protects ? byProtectedSession : bySession
      const count = requiresSession(access) ? ofSession : requiresKey(access) ? byKey : undefined
      if (!count) return
      const limitWrites: onRequestHookHandler = (request, _reply, done) => done(count(request))
      // After the route's access policy, which finds the user or the key.
      route.onRequest = [...[route.onRequest ?? []].flat(), limitWrites]
    })

    const sweep = runEvery(sweepInterval, async () => {
      for (const each of [own, total, protecting]) each.sweep()
    })
    app.addHook('onClose', sweep.stop)
  },
  { name: 'write-limit', dependencies: ['config', 'permissions'] }
)
