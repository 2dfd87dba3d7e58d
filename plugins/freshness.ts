import fp from 'fastify-plugin'
import { createSnapshots } from '../src/domain/freshness/keep-fresh.ts'
import type { Snapshots } from '../src/domain/freshness/keep-fresh.ts'
import { createEpochReader } from '../src/domain/freshness/read-epochs.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The one shared read that everything kept in memory is compared with. */
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
