import { chosenLanguage, languageOf, say, spokenLanguage } from './say.ts'

const relative = inLanguage(
  () => new Intl.RelativeTimeFormat(spokenLanguage(), { numeric: 'auto' })
)

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

/**
 * The languages of the reader that `Intl` accepts, which throws an error for others: browsers of
 * some systems name `c` or `en-US@posix`. Without any, `Intl` uses the language of the browser.
 */
function languages() {
  const accepted = navigator.languages.filter((tag) => {
    try {
      return Intl.getCanonicalLocales(tag)
    } catch {
      return false
    }
  })
  const chosen = chosenLanguage()
  if (chosen === undefined) return accepted
  // The reader's region, if it is one where people speak the language of the page.
  return [...accepted.filter((tag) => languageOf(tag) === languageOf(chosen)), chosen]
}

export const formatIn = (options: Intl.DateTimeFormatOptions) =>
  inLanguage(() => new Intl.DateTimeFormat(languages(), options))

const format = formatIn({ dateStyle: 'medium', timeStyle: 'short' })

/** @param at ISO 8601 */
export const formatTime = (at: string) => unbroken(format().format(new Date(at)))

/** Keeps AM and PM on the line of the time. */
export const unbroken = (time: string) => time.replace(/ (?=[AP]M$)/, '\xa0')

/** The time zone of the reader, such as `Europe/Berlin`. */
export const zone = () => format().resolvedOptions().timeZone

/**
 * A value that is created when it is first used. For formats of `Intl`: the first one of a tab
 * takes the browser some 20 milliseconds, and the sign-in pages need none.
 */
export function lazy<T>(create: () => T): () => T {
  let value: T | undefined
  return () => (value ??= create())
}

/** Such a value that depends on the language of the page. */
function inLanguage<T>(create: () => T): () => T {
  let kept: { tag: string; value: T } | undefined
  return () => {
    const tag = spokenLanguage()
    if (kept?.tag !== tag) kept = { tag, value: create() }
    return kept.value
  }
}
