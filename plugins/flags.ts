import fp from 'fastify-plugin'
import { flagKeeper } from '../src/domain/flags/flags.ts'
import type { Flags } from '../src/domain/flags/flags.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** All feature flags, as they are now. */
    readFlags(): Promise<Flags>
  }
}

export default fp(
  async (app) => {
    app.decorate('readFlags', flagKeeper(app.database.checkDb, app.snapshots))
  },
  { name: 'flags', dependencies: ['db', 'freshness'] }
)
