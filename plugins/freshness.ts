import fp from 'fastify-plugin'
import { scopeCount } from '../db/schema/epochs.ts'
import { createSnapshots, parseEpochs } from '../src/domain/freshness.ts'
import type { Snapshots } from '../src/domain/freshness.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The one shared read that everything kept in memory is held against. */
    snapshots: Snapshots
  }
}

export default fp(async (app) => {
  app.decorate('snapshots', createSnapshots(async () => {
    const { values, now } = await app.database.readEpochs()
    return { values: parseEpochs(values, scopeCount), now }
  }))
}, { name: 'freshness', dependencies: ['db'] })
