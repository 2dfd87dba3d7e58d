import { formatAgo } from './ago.ts'
import { lazily } from './lazily.ts'

/**
 * The languages of the reader that `Intl` accepts, which throws an error for others: browsers of
 * some systems name `c` or `en-US@posix`. Without any, `Intl` uses the language of the browser.
 */
const languages = navigator.languages.filter((tag) => {
  try {
    return Intl.getCanonicalLocales(tag)
  } catch {
    return false
  }
})

const formatIn = (options: Intl.DateTimeFormatOptions) =>
  lazily(() => new Intl.DateTimeFormat(languages, options))

const format = formatIn({ dateStyle: 'medium', timeStyle: 'short' })

/** @param at ISO 8601 */
export const formatTime = (at: string) => format().format(new Date(at))

/** A time of the portal in the time zone and the format of the reader. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {formatTime(at)}
  </time>
)

const exact = formatIn({ dateStyle: 'full', timeStyle: 'long' })
const day = formatIn({ dateStyle: 'medium' })
const long = formatIn({ dateStyle: 'full' })

/** The day of a time, for the reader. */
export const formatDay = (at: string) => long().format(new Date(at))

/** A time as people say it, in English, or its date, with the exact one as its title. */
export const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={exact().format(new Date(at))}>
    {formatAgo(at) ?? day().format(new Date(at))}
  </time>
)
