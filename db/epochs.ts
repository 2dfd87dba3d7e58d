export interface EpochRow {
  /** A digest of all values; null when there are none. */
  digest: string | null
  /** In the order of their scopes, separated by commas; null when their digest is the one that is known. */
  values: string | null
  /** The database's clock, in milliseconds. */
  now: number
}

/** One row, and a short one while nothing changes: it is read a thousand times a second. $1 is the digest that is known. */
export const epochQuery = `
  select digest, case when digest = $1 then null else "values" end as "values", extract(epoch from clock_timestamp())::float8 * 1000 as "now"
  from (select "values", md5("values") as digest from (select string_agg(value::text, ',' order by scope) as "values" from epochs) as a) as b`
