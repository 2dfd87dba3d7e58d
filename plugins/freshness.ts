import fp from 'fastify-plugin'
import { scopeCount } from '../db/schema/epochs.ts'
import { createSnapshots, parseEpochs } from '../src/domain/freshness/keep-fresh.ts'
import type { Snapshots } from '../src/domain/freshness/keep-fresh.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The one shared read that everything kept in memory is held against. */
    snapshots: Snapshots
    /** Since the start: reads of the epochs, those that failed, the seconds they took, and principals that were read (anew). */
    freshnessTotals: { reads: number; failed: number; seconds: number; loaded: number }
  }
}

export default fp(
  async (app) => {
    /** The values of the read before: while they do not change they are neither sent nor parsed again. */
    let last: { digest: string; values: readonly string[] } = { digest: '', values: [] }
    const totals = { reads: 0, failed: 0, seconds: 0, loaded: 0 }
    app.decorate('freshnessTotals', totals)
    const read = async () => {
      const start = performance.now()
      totals.reads++
      try {
        return await app.database.readEpochs(last.digest)
      } catch (error) {
        totals.failed++
        throw error
      } finally {
        totals.seconds += (performance.now() - start) / 1000
      }
    }
    app.decorate(
      'snapshots',
      createSnapshots(async () => {
        const { digest, values, now } = await read()
        if (digest === null || digest !== last.digest) {
          last = { digest: digest ?? '', values: parseEpochs(values, scopeCount) }
        }
        return { values: last.values, now }
      })
    )
  },
  { name: 'freshness', dependencies: ['db'] }
)
