import type { EpochRow } from '../../../db/epochs.ts'
import { epochsMissing } from '../../../db/errors.ts'
import { scopeCount } from '../../../db/schema/epochs.ts'
import type { Snapshot } from './fresh-cache.ts'

/** Parses epochs. If some are missing, the result would equal another. */
export function parseEpochs(text: string | null, count = scopeCount): readonly string[] {
  const values = text?.split(',') ?? []
  if (values.length !== count) throw epochsMissing()
  return values
}

/** Reads the epochs. They are only sent and parsed again after their digest has changed. */
export function createEpochReader(readEpochs: (knownDigest: string) => Promise<EpochRow>) {
  let last: { digest: string; values: readonly string[] } = { digest: '', values: [] }
  /** Since the start: the number of reads and of failures, and the duration in seconds. */
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
