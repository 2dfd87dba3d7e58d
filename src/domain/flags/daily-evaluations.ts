import { and, eq, gt, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { flagEvaluations } from '../../../db/schema/flag-evaluations.ts'
import { flags } from '../../../db/schema/flags.ts'
import { flagNotFound } from '../errors.ts'

/** The day of the database in UTC, whatever its time zone. */
export const utcToday = sql`(now() at time zone 'UTC')::date`

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
  if (!any) throw flagNotFound()
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
