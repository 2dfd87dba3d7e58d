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
  /** The values of the read before: while they do not change they are neither sent nor parsed again. */
  let last: { digest: string, values: readonly string[] } = { digest: '', values: [] }
  app.decorate('snapshots', createSnapshots(async () => {
    const { digest, values, now } = await app.database.readEpochs(last.digest)
    if (digest === null || digest !== last.digest) last = { digest: digest ?? '', values: parseEpochs(values, scopeCount) }
    return { values: last.values, now }
  }))
}, { name: 'freshness', dependencies: ['db'] })
