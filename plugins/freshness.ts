import fp from 'fastify-plugin'
import { createSnapshots } from '../src/domain/freshness/fresh-cache.ts'
import type { Snapshots } from '../src/domain/freshness/fresh-cache.ts'
import { createEpochReader } from '../src/domain/freshness/read-epochs.ts'
import { createShardReader, createUserEpochs } from '../src/domain/freshness/user-epochs.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The shared read of the epochs with which all cached data is compared. */
    snapshots: Snapshots
    freshnessTotals: ReturnType<typeof createEpochReader>['totals']
    /** Compares the tags of a principal with the epochs of its user. */
    areUserTagsCurrent: ReturnType<typeof createUserEpochs>
    shardTotals: ReturnType<typeof createShardReader>['totals']
  }
}

export default fp(
  async (app) => {
    const { read, totals } = createEpochReader((digest) => app.database.readEpochs(digest))
    app.decorate('snapshots', createSnapshots(read))
    app.decorate('freshnessTotals', totals)
    const shards = createShardReader(app.database.checkDb)
    app.decorate('areUserTagsCurrent', createUserEpochs(shards.read))
    app.decorate('shardTotals', shards.totals)
  },
  { name: 'freshness', dependencies: ['db'] }
)
