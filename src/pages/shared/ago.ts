import { lazily } from './lazily.ts'
import { say, spokenLanguage } from './say.ts'

const relative = lazily(() => new Intl.RelativeTimeFormat(spokenLanguage(), { numeric: 'auto' }))
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000]
] as const

/**
 * How long ago a time is, or until it, such as `3 minutes ago`, in the language of the page;
 * undefined when it is over a month.
 * @param at ISO 8601
 * @param now in milliseconds
 */
export function formatAgo(at: string, now = Date.now()) {
  const length = Date.parse(at) - now
  if (Math.abs(length) > 31 * units[0][1]) return undefined
  const [unit, size] = units.find(([, size]) => Math.abs(length) >= size) ?? []
  return unit ? relative().format(Math.trunc(length / size), unit) : say('just-now')
}
