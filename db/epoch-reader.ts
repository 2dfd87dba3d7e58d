import postgres from 'postgres'
import type { Options, PostgresType } from 'postgres'
import { deadline } from './deadline.ts'
import { epochQuery } from './epochs.ts'
import type { EpochRow } from './epochs.ts'
import { DatabaseTimeout } from './errors.ts'
import { replaceable } from './replaceable.ts'

/** What every request waits for: longer, and the answer is 503. */
const readDeadline = 1000
const missesUntilReplaced = 2

/**
 * Reads the epochs on connections of its own, so that no other work is waited for. A read that is late is left to its connection,
 * and the next takes the other one; when both hang they are replaced.
 */
export function openEpochReader (url: string, options: Options<Record<string, PostgresType>>) {
  const pool = replaceable(() => postgres(url, { ...options, max: 2, connection: { application_name: 'portal epochs' } }), missesUntilReplaced)
  return {
    async read (known: string): Promise<EpochRow> {
      const used = pool.current()
      try {
        const [row] = await deadline(used.unsafe<EpochRow[]>(epochQuery, [known], { prepare: options.prepare ?? true }), readDeadline)
        pool.answered()
        return row ?? { digest: null, values: null, now: 0 }
      } catch (error) {
        if (error instanceof DatabaseTimeout) pool.late(used)
        throw error
      }
    },
    close: pool.close
  }
}
