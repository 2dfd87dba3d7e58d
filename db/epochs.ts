import { sql } from 'drizzle-orm'
import { scopeCount } from './schema/epochs.ts'

export interface EpochRow {
  /** A digest of all values; null when there are none. */
  digest: string | null
  /** In the order of their scopes, separated by commas; null when their digest is the known one. */
  values: string | null
  /** The database's clock, in milliseconds. */
  now: number
  /** True on a standby, which may lack confirmed changes: its answer is rejected. */
  in_recovery: boolean
}

/** For a database without the row, which is broken. */
export const noEpochs: EpochRow = { digest: null, values: null, now: 0, in_recovery: false }

/**
 * The epochs at the moment of the statement, for one that reads data to keep in memory. Without the
 * scopes that a newer release added. `in_recovery` makes the connection reject a standby's answer.
 */
export const epochColumns = {
  values: sql<string | null>`(
    select string_agg(value::text, ',' order by scope) from epochs where scope < ${scopeCount}
  )`.as('values'),
  now: sql<number>`extract(epoch from now())::float8 * 1000`.as('now'),
  inRecovery: sql<boolean>`pg_is_in_recovery()`.as('in_recovery')
}

/**
 * One row, which is short while nothing changes, because it is read up to a thousand times a
 * second. $1 is the known digest. Without the scopes that a newer release added.
 */
export const epochQuery = `
  select digest, case when digest = $1 then null else "values" end as "values",
    extract(epoch from clock_timestamp())::float8 * 1000 as "now",
    pg_is_in_recovery() as in_recovery
  from (select "values", md5("values") as digest from (
    select string_agg(value::text, ',' order by scope) as "values"
    from epochs where scope < ${scopeCount}
  ) as a) as b`
