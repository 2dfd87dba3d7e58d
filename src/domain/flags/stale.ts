import { and, eq, lt, not, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { ofDays } from '../../../db/intervals.ts'
import { flagEvaluations } from '../../../db/schema/flag-evaluations.ts'
import type { staleReasons } from '../../../db/schema/flag-evaluations.ts'
import { flags } from '../../../db/schema/flags.ts'
import { page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { dayBefore } from './daily-evaluations.ts'

/** Evaluations of one variant only, from which on the others count as unused. */
const telling = 100

/** As times in rules are stored: in UTC, with milliseconds. */
const now = sql`to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') collate "C"`

/**
 * Whether a rule of an enabled flag begins or ends later. Compared as text, which a damaged rule
 * cannot fail.
 */
const hasTimeAhead = sql`(${flags.state} = 'enabled' and exists (
  select from jsonb_array_elements(${flags.rules}) as each(rule)
  where rule -> 'when' ->> 'from' > ${now} or rule -> 'when' ->> 'until' > ${now}))`

/**
 * The variant that everybody gets, without rules or by the first one; null if it depends on the
 * context. A beginning has passed where no time is ahead.
 */
const onlyVariant = sql`case
  when ${flags.rules} = '[]' then ${flags.defaultVariant}
  when (${flags.rules} -> 0 -> 'when') - 'from' = '{}' then coalesce(
    ${flags.rules} -> 0 -> 'serve' ->> 'variant',
    (select case when count(distinct share ->> 'variant') = 1 then min(share ->> 'variant') end
      from jsonb_array_elements(${flags.rules} -> 0 -> 'serve' -> 'split') as each(share)
      where (share ->> 'weight')::int > 0))
end`

/**
 * A page of the flags that have nothing left to decide: those that are not permanent, were not
 * changed for `days` days, and have no time ahead of them. `since` is the time of the last change,
 * and `variant` the one that everybody gets, if that is known.
 */
export function listStaleFlags(db: Db, { days, ...window }: { days: number } & Window<'key'>) {
  const inPeriod = sql`flag_key = ${flags.key} and day > ${dayBefore(days)}`
  const isCounted = sql`exists (select from ${flagEvaluations} where day <= ${dayBefore(days)})`
  const byEvaluations = sql`(
    select case
      when sum(count) >= ${telling}::int and min(variant) = max(variant) then 'one-variant'
      when count(*) = 0 and ${isCounted} then 'unused'
    end from ${flagEvaluations} where ${inPeriod})`
  const reason = sql<(typeof staleReasons)[number]>`case
    when ${flags.state} = 'disabled' then 'disabled'
    when ${onlyVariant} is not null then 'rolled-out'
    else ${byEvaluations}
  end`
  const variant = sql<string | null>`case
    when ${flags.state} = 'disabled' then ${flags.offVariant}
    else coalesce(${onlyVariant}, (
      select nullif(max(variant), '') from ${flagEvaluations} where ${inPeriod}))
  end`
  const columns = { key: flags.key, reason, since: flags.updatedAt, variant }
  const where = and(
    eq(flags.permanent, false),
    lt(flags.updatedAt, sql`now() - ${ofDays(days)}`),
    not(hasTimeAhead),
    sql`${reason} is not null`
  )
  return page(db, { table: flags, columns, orders: { key: [flags.key] } }, window, where)
}
