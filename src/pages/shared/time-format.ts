import { lazily } from './lazily.ts'

/**
 * The languages of the reader that `Intl` accepts, which throws an error for others: browsers of
 * some systems name `c` or `en-US@posix`. Without any, `Intl` uses the language of the browser.
 */
const languages = lazily(() =>
  navigator.languages.filter((tag) => {
    try {
      return Intl.getCanonicalLocales(tag)
    } catch {
      return false
    }
  })
)

export const formatIn = (options: Intl.DateTimeFormatOptions) =>
  lazily(() => new Intl.DateTimeFormat(languages(), options))

const format = formatIn({ dateStyle: 'medium', timeStyle: 'short' })

/** @param at ISO 8601 */
export const formatTime = (at: string) => format().format(new Date(at))

/** The time zone of the reader, such as `Europe/Berlin`. */
export const zone = () => format().resolvedOptions().timeZone
