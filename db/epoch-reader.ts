import postgres from 'postgres'
import type { Options, PostgresType } from 'postgres'
import { deadline } from './deadline.ts'
import { epochQuery } from './epochs.ts'
import type { EpochRow } from './epochs.ts'
import { DatabaseTimeout } from './errors.ts'

/** What every request waits for: longer, and the answer is 503. */
const readDeadline = 1000
const missesUntilReplaced = 2

/**
 * Reads the epochs on connections of its own, so that no other work is waited for. A read that is late is left to its connection,
 * and the next takes the other one; when both hang they are replaced.
 */
export function openEpochReader (url: string, options: Options<Record<string, PostgresType>>) {
  const open = () => postgres(url, { ...options, max: 2, connection: { application_name: 'portal epochs' } })
  let client = open()
  let misses = 0
  return {
    async read (known: string): Promise<EpochRow> {
      const used = client
      try {
        const [row] = await deadline(used.unsafe<EpochRow[]>(epochQuery, [known], { prepare: options.prepare ?? true }), readDeadline)
        misses = 0
        return row ?? { digest: null, values: null, now: 0 }
      } catch (error) {
        if (error instanceof DatabaseTimeout && used === client && ++misses >= missesUntilReplaced) {
          misses = 0
          client = open()
          used.end({ timeout: 0 }).catch(() => {})
        }
        throw error
      }
    },
    close: () => client.end({ timeout: 5 })
  }
}
