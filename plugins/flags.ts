import fp from 'fastify-plugin'
import { createFlagCache } from '../src/domain/flags/cache.ts'
import type { Flags } from '../src/domain/flags/cache.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readFlags(): Promise<Flags>
  }
}

export default fp(
  async (app) => {
    app.decorate('readFlags', createFlagCache(app.database.checkDb, app.snapshots))
  },
  { name: 'flags', dependencies: ['db', 'freshness'] }
)
