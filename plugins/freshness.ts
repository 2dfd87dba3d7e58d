import fp from 'fastify-plugin'
import { createSnapshots } from '../src/domain/freshness/keep-fresh.ts'
import type { Snapshots } from '../src/domain/freshness/keep-fresh.ts'
import { createEpochReader } from '../src/domain/freshness/read-epochs.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The shared read of the epochs with which all cached data is compared. */
    snapshots: Snapshots
    freshnessTotals: ReturnType<typeof createEpochReader>['totals']
  }
}

export default fp(
  async (app) => {
    const { read, totals } = createEpochReader((digest) => app.database.readEpochs(digest))
    app.decorate('snapshots', createSnapshots(read))
    app.decorate('freshnessTotals', totals)
  },
  { name: 'freshness', dependencies: ['db'] }
)
