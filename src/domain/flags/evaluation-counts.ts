import { and, eq, gt, lt, not, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { evaluationKinds, flagEvaluations, flags } from '../../../db/schema/flags.ts'
import type { staleReasons } from '../../../db/schema/flags.ts'
import { ofDays } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import { DomainError } from '../errors.ts'
import { page } from '../keyset.ts'
import type { Window } from '../keyset.ts'

/** Milliseconds between two flushes. */
export const flushInterval = 60_000
const batchSize = 500

type Kind = (typeof evaluationKinds)[number]

/** One evaluation. It has no variant if a split lacked the targeting key. */
interface Evaluated {
  key: string
  variant?: string
}

interface Row {
  key: string
  variant: string
  count: number
}

/**
 * Counts what is sent to apps, by flag and variant, off the request path. What callers make up,
 * such as targeting keys, takes no memory.
 * @param onError called when a batch could not be stored; the next flush adds it
 */
export function createEvaluationCounts(db: Db, onError: (error: unknown) => void) {
  const pending = { single: createCounts(), bulk: createCounts() }
  return {
    count(kind: Kind, evaluated: readonly Evaluated[]) {
      const { add } = pending[kind]
      for (let n = 0; n < evaluated.length; n++) {
        const { key, variant = '' } = evaluated[n] as Evaluated
        add(n, key, variant, 1)
      }
    },
    async flush() {
      for (const kind of evaluationKinds) {
        const rows = pending[kind].rows()
        pending[kind] = createCounts()
        for (let start = 0; start < rows.length; start += batchSize) {
          const batch = rows.slice(start, start + batchSize)
          await write(db, kind, batch).catch((error: unknown) => {
            onError(error)
            for (const [n, { key, variant, count }] of batch.entries()) {
              pending[kind].add(n, key, variant, count)
            }
          })
        }
      }
    }
  }
}

/** How often a variant of a flag was served. */
interface Counted extends Row {
  /** Another variant of the same flag. */
  next: Counted | undefined
}

/** Counting must cost next to nothing: for each flag it reads one object of 56 bytes or two. */
function createCounts() {
  const flags = new Map<string, Counted>()
  /** By position: flags are in one order in almost all requests. Saves looking them up. */
  const inOrder: Counted[] = []

  const newRow = (key: string, variant: string): Counted => ({
    key,
    variant,
    count: 0,
    next: undefined
  })
  const firstRow = (key: string, variant: string) => {
    const row = flags.get(key) ?? newRow(key, variant)
    flags.set(key, row)
    return row
  }
  return {
    add(position: number, key: string, variant: string, count: number) {
      let row = inOrder[position]
      if (row?.key !== key) row = inOrder[position] = firstRow(key, variant)
      while (row.variant !== variant) row = row.next ??= newRow(key, variant)
      row.count += count
    },
    rows: (): Row[] => [...flags.values()].flatMap(listFrom)
  }
}

function listFrom(first: Counted) {
  const rows: Row[] = []
  for (let row: Counted | undefined = first; row; row = row.next) {
    const { key, variant, count } = row
    rows.push({ key, variant, count })
  }
  return rows
}

/**
 * Adds to the rows of today. Skips flags that no longer exist, and locks the others, so that the
 * deletion of a flag finds all of its rows. Writes in the order of the key, because instances do so
 * concurrently.
 */
async function write(db: Db, kind: Kind, rows: Row[]) {
  const given = JSON.stringify(rows)
  await transaction(db, (tx) =>
    tx.execute(sql`
      with given as (
        select key, variant, ${kind}::text as kind, count
        from jsonb_to_recordset(${given}::text::jsonb)
          as each(key text, variant text, count bigint)
      ), existing as (
        select ${flags.key} as key from ${flags} where ${flags.key} in (select key from given)
        order by ${flags.key} for key share
      )
      insert into ${flagEvaluations} (flag_key, day, variant, kind, count)
      select key, ${utcToday}, variant, kind, count from given join existing using (key)
      order by key, variant, kind
      on conflict (flag_key, day, variant, kind)
      do update set count = flag_evaluations.count + excluded.count`)
  )
}

/** The day of the database in UTC, whatever its time zone. */
const utcToday = sql`(now() at time zone 'UTC')::date`

/** The day before the first day of a period that ends today. */
export const dayBefore = (days: number): SQL => sql`${utcToday} - ${days}::int`

/**
 * How often each variant of a flag was sent on each of the last days, today included. The most
 * frequent variant comes first; one that was removed from the flag is still there. Throws
 * `flag-not-found`.
 */
export async function readEvaluations(db: Db, { key, days }: { key: string; days: number }) {
  const { variant, kind, count, day, flagKey } = flagEvaluations
  const rows = await db
    .select({
      // The place of a day in the period.
      place: sql<number | null>`${day} - (${dayBefore(days)}) - 1`,
      first: sql<string>`(${dayBefore(days)} + 1)::text`,
      variant,
      kind,
      count
    })
    .from(flags)
    .leftJoin(flagEvaluations, and(eq(flagKey, flags.key), gt(day, dayBefore(days))))
    .where(eq(flags.key, key))
  const [any] = rows
  if (!any) throw new DomainError('flag-not-found')
  const zeros = () => Array.from({ length: days }, () => 0)
  const found = new Map<string, { single: number[]; bulk: number[]; total: number }>()
  for (const { place, variant, kind, count } of rows) {
    if (place === null || variant === null || kind === null || count === null) continue
    const of = found.get(variant) ?? { single: zeros(), bulk: zeros(), total: 0 }
    of[kind][place] = count
    of.total += count
    found.set(variant, of)
  }
  return {
    key,
    days: zeros().map((_, place) => dayAfter(any.first, place)),
    variants: Array.from(found)
      .toSorted(([a, one], [b, other]) => other.total - one.total || (a < b ? -1 : 1))
      .map(([variant, { single, bulk }]) => ({ variant: variant || null, single, bulk }))
  }
}

const dayAfter = (first: string, days: number) =>
  new Date(Date.parse(first) + days * 86_400_000).toISOString().slice(0, 10)

/** Evaluations of one variant only, from which on the others count as unused. */
const telling = 100

/** The form of stored times in rules: UTC, with milliseconds. */
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

/** Days without a change after which a flag can be stale, unless others are asked for. */
export const staleDays = 30

/**
 * Which flags have nothing left to decide: those that are not permanent, were not changed for
 * `days` days, and have no time ahead of them; why, and the variant that everybody gets, if that is
 * known.
 */
export function staleOf(days: number) {
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
  const where = and(
    eq(flags.permanent, false),
    lt(flags.updatedAt, sql`now() - ${ofDays(days)}`),
    not(hasTimeAhead),
    sql`${reason} is not null`
  )
  return { reason, variant, where }
}

/** A page of stale flags. `since` is the time of the last change. */
export function listStaleFlags(db: Db, { days, ...window }: { days: number } & Window<'key'>) {
  const { where, ...found } = staleOf(days)
  const columns = { key: flags.key, since: flags.updatedAt, ...found }
  return page(db, { table: flags, columns, orders: { key: [flags.key] } }, window, where)
}
