import { dateTimeOf, localTimeOf } from '../../shared/setting-fields.ts'
import { lengthOf, startOf } from '../counts.ts'
import type { Values } from '../list/address.ts'

/** Filters as inputs take them: with times of the reader. */
export const toInputs = (filters: Values): Values => ({
  ...filters,
  ...(filters.from && { from: localTimeOf(filters.from) ?? '' }),
  ...(filters.to && { to: localTimeOf(filters.to) ?? '' })
})

/** Filters as the address has them: with times in UTC. */
export const toAddress = ({ from, to, requestId, ...others }: Values, before: Values) => ({
  ...others,
  requestId: requestId?.trim().replace(/^urn:uuid:/i, ''), // as in `instance` of a problem
  from: inUtc(from, before.from),
  to: inUtc(to, before.to)
})

/** Formats a time for the portal. An unchanged input keeps the time of the address. */
const inUtc = (text: string | undefined, before = '') =>
  !text || text === localTimeOf(before) ? text && before : dateTimeOf(text)

type Filters = Values<'from' | 'to'>

/** Days that people ask about, as filters. They begin at midnight for the reader. */
export function recentDays(now = new Date()): [title: string, filters: Filters][] {
  const at = (ago: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago).toISOString()
  return [
    ['All', {}],
    ['Today', { from: at(0) }],
    ['Yesterday', { from: at(1), to: at(0) }],
    ['7 days', { from: at(6) }],
    ['30 days', { from: at(29) }]
  ]
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
  // It stays the same all day, so that it is loaded once.
  return { ...query, from: new Date(startOf('day', to, days - 1)).toISOString(), bucket }
}
