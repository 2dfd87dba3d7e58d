import postgres from 'postgres'
import type { Options, PostgresType, Sql } from 'postgres'
import { deadline } from './deadline.ts'
import { DatabaseTimeout } from './errors.ts'

/** What every request waits for: longer, and the answer is 503. */
const readDeadline = 1000
const missesUntilReplaced = 2

export interface EpochRow {
  /** A digest of all values; null when there are none. */
  digest: string | null
  /** In the order of their scopes, separated by commas; null when their digest is the one that is known. */
  values: string | null
  /** The database's clock, in milliseconds. */
  now: number
}

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
        const [row] = await deadline(query(used, known), readDeadline)
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

// One row, and a short one while nothing changes: it is read thousands of times a second. A tagged template, because the driver
// prepares it under a name.
const query = (client: Sql, known: string) => client<EpochRow[]>`
  select digest, case when digest = ${known} then null else "values" end as "values", extract(epoch from clock_timestamp())::float8 * 1000 as "now"
  from (select "values", md5("values") as digest from (select string_agg(value::text, ',' order by scope) as "values" from epochs) as a) as b`
