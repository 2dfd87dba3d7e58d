import fp from 'fastify-plugin'
import { budgetsOf } from '../src/config/budgets.ts'
import { bucketsOf } from '../src/domain/throttling/buckets.ts'
import type { Buckets } from '../src/domain/throttling/buckets.ts'
import { createGate } from '../src/domain/throttling/gate.ts'
import type { Gate } from '../src/domain/throttling/gate.ts'
import { signingKey, subKey } from '../src/config/keys.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The buckets in which logins, registrations and password checks are counted. */
    buckets: Buckets
    gate: Gate
  }
}

export default fp(
  async (app) => {
    const { config } = app
    const key = subKey(signingKey(config.SECRET_KEYS), 'throttle')
    app.decorate('buckets', bucketsOf(key, budgetsOf(config)))
    // One source can keep all hashing threads busy, but others wait for one hash each at most.
    app.decorate('gate', createGate(config.HASH_THREADS))
  },
  { name: 'throttle', dependencies: ['config'] }
)
