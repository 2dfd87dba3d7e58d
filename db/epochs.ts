import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { numberSize, rolesScope, scopeCount, userPartOf, userScopeOf } from './schema/epochs.ts'

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

/** The result of a broken database, which has no row. */
export const noEpochs: EpochRow = { digest: null, values: null, now: 0, in_recovery: false }

/**
 * Columns of a statement that reads data to keep in memory. `in_recovery` makes the connection
 * reject a standby's answer.
 */
export const momentColumns = {
  now: sql<number>`extract(epoch from now())::float8 * 1000`.as('now'),
  inRecovery: sql<boolean>`pg_is_in_recovery()`.as('in_recovery')
}

/** The epoch of a scope at the moment of the statement. */
export const epochOf = (scope: number) =>
  sql<string | null>`(select value::text from epochs where scope = ${scope}::int)`

/** The epochs of the user with this id at the moment of the statement: the tags of a principal. */
export const userEpochs = (userId: SQL) => ({
  number: sql<string | null>`(
    select encode(substr(numbers, ${userPartOf(userId)} * ${numberSize} + 1, ${numberSize}), 'hex')
    from epoch_parts where scope = ${userScopeOf(userId)})`,
  roles: epochOf(rolesScope)
})

/** The epochs of shards and their parts, and of the roles, for a select from both tables. */
export const shardColumns = {
  scope: sql<number>`epochs.scope`,
  value: sql<string>`epochs.value::text`,
  numbers: sql<string>`encode(epoch_parts.numbers, 'hex')`,
  roles: epochOf(rolesScope),
  inRecovery: momentColumns.inRecovery
}

/**
 * One row, which is short while nothing changes, because it is read up to a thousand times a
 * second. $1 is the known digest. Scopes that a newer release added are left out.
 */
export const epochQuery = `
  select digest, case when digest = $1 then null else "values" end as "values",
    extract(epoch from clock_timestamp())::float8 * 1000 as "now",
    pg_is_in_recovery() as in_recovery
  from (select "values", md5("values") as digest from (
    select string_agg(value::text, ',' order by scope) as "values"
    from epochs where scope < ${scopeCount}
  ) as a) as b`
