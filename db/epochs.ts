import { sql } from 'drizzle-orm'
import { scopeCount } from './schema/epochs.ts'

export interface EpochRow {
  /** A digest of all values; null when there are none. */
  digest: string | null
  /** In the order of their scopes, separated by commas; null when their digest is the known one. */
  values: string | null
  /** The database's clock, in milliseconds. */
  now: number
  /** True on a standby, which may not have what was acknowledged: its answer counts as none. */
  in_recovery: boolean
}

/** No row: a fault of the database. */
export const noEpochs: EpochRow = { digest: null, values: null, now: 0, in_recovery: false }

/**
 * For a statement that reads what is kept in memory: the epochs of its own moment, without the
 * scopes that a newer release added. A standby's answer is rejected by the name of its column.
 */
export const epochColumns = {
  values: sql<string | null>`(
    select string_agg(value::text, ',' order by scope) from epochs where scope < ${scopeCount}
  )`.as('values'),
  now: sql<number>`extract(epoch from now())::float8 * 1000`.as('now'),
  inRecovery: sql<boolean>`pg_is_in_recovery()`.as('in_recovery')
}

/**
 * One row, and a short one while nothing changes: it is read a thousand times a second. $1 is the
 * known digest.
 * Scopes that a newer release added are left out.
 */
export const epochQuery = `
  select digest, case when digest = $1 then null else "values" end as "values",
    extract(epoch from clock_timestamp())::float8 * 1000 as "now",
    pg_is_in_recovery() as in_recovery
  from (select "values", md5("values") as digest from (
    select string_agg(value::text, ',' order by scope) as "values"
    from epochs where scope < ${scopeCount}
  ) as a) as b`
