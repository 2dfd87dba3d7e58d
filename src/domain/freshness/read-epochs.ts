import type { EpochRow } from '../../../db/epochs.ts'
import { scopeCount } from '../../../db/schema/epochs.ts'
import { databaseUnavailable } from '../errors.ts'
import type { Snapshot } from './keep-fresh.ts'

/** The values as the database wrote them. Fewer than there are scopes are a fault of the database, and equal to nothing. */
export function parseEpochs(text: string | null, count = scopeCount): readonly string[] {
  const values = text?.split(',') ?? []
  if (values.length !== count) throw databaseUnavailable()
  return values
}

/** The snapshot in the first row of a statement that selects `epochColumns`. */
export const snapshotOf = ([row]: { values: string | null; now: number | null }[]): Snapshot => ({
  values: parseEpochs(row?.values ?? null),
  now: Number(row?.now)
})

/** Reads the epochs. While their digest does not change, the values are neither sent nor parsed again. */
export function createEpochReader(readEpochs: (knownDigest: string) => Promise<EpochRow>) {
  let last: { digest: string; values: readonly string[] } = { digest: '', values: [] }
  /** Since the start: reads, those that failed, and the seconds they took. */
  const totals = { reads: 0, failed: 0, seconds: 0 }

  const measured = async () => {
    const start = performance.now()
    totals.reads++
    try {
      return await readEpochs(last.digest)
    } catch (error) {
      totals.failed++
      throw error
    } finally {
      totals.seconds += (performance.now() - start) / 1000
    }
  }
  const read = async (): Promise<Snapshot> => {
    const { digest, values, now } = await measured()
    if (digest === null || digest !== last.digest) {
      last = { digest: digest ?? '', values: parseEpochs(values) }
    }
    return { values: last.values, now }
  }
  return { read, totals: totals as Readonly<typeof totals> }
}
