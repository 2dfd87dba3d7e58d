import { lengthOf, startOf } from '../counts.ts'

interface Filters {
  from?: string
  to?: string
}

/** Days that a plot shows when nobody has chosen a period. */
export const usual = 30
const most = 92

/**
 * The period of the plot, and its buckets: by the hour if it is short, else by the day, and at most
 * 92 days of it.
 */
export function periodOf<Query extends Filters>(query: Query, now = Date.now()) {
  const to = query.to === undefined ? now : Date.parse(query.to)
  const length = to - Date.parse(query.from ?? '')
  const bucket = length <= 7 * lengthOf.day ? ('hour' as const) : ('day' as const)
  if (length <= most * lengthOf.day) return { ...query, bucket }
  const days = query.from === undefined ? usual : most
  // The same all day, so that it is loaded once.
  return { ...query, from: new Date(startOf('day', to, days - 1)).toISOString(), bucket }
}
