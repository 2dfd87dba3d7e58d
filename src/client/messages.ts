import { problemOf, sentenceOf } from './sentences.ts'
import * as de from './words/de.ts'
import * as en from './words/en.ts'

const languages: Record<'en' | 'de', Partial<Record<string, string>>> = {
  en: { ...en.common, ...en.problems },
  de: { ...de.common, ...de.problems }
}

/**
 * A sentence about any error of a call or of a passkey, thrown or returned, as the account pages
 * say it.
 */
export const messageOf = (error: unknown, language: keyof typeof languages = 'en') =>
  sentenceOf(error, languages[language], language)

/** Mistakes by the name of the field, such as `email` or `profile/bio`. */
export function mistakesOf(
  error: unknown,
  language: keyof typeof languages = 'en'
): Record<string, string> {
  const errors = problemOf(error)?.errors ?? []
  return Object.fromEntries(
    errors.map(({ pointer, code, message }) => [
      pointer.slice(1),
      languages[language][`field.${code}`] ?? message
    ])
  )
}
