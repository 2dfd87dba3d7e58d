import fp from 'fastify-plugin'
import { budgetsOf } from '../src/budgets.ts'
import { bucketsOf } from '../src/domain/throttles.ts'
import type { Buckets } from '../src/domain/throttles.ts'
import { signingKey, subKey } from '../src/keys.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What logins, registrations and passwords are counted in. */
    buckets: Buckets
  }
}

export default fp(async (app) => {
  app.decorate('buckets', bucketsOf(subKey(signingKey(app.config.SECRET_KEYS), 'throttle'), budgetsOf(app.config)))
}, { name: 'throttle', dependencies: ['config'] })
