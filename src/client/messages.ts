import { problemOf, sentenceOf } from './sentences.ts'
import * as de from '../common/words/problems-de.ts'
import * as en from '../common/words/problems-en.ts'
import type { FieldWords, ProblemWords } from './problem-codes.ts'

// Neither language lacks a sentence, nor has one that nothing says.
en.problems satisfies Partial<ProblemWords<typeof en.common>>
de.problems satisfies ProblemWords<typeof en.common> & FieldWords

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
