import { problemOf, sentenceOf } from './sentences.ts'
import { common as commonDe } from './words/common-de.ts'
import { common as commonEn } from './words/common-en.ts'
import { problems as problemsDe } from './words/problems-de.ts'
import { problems as problemsEn } from './words/problems-en.ts'

const languages: Record<'en' | 'de', Partial<Record<string, string>>> = {
  en: { ...commonEn, ...problemsEn },
  de: { ...commonDe, ...problemsDe }
}

/**
 * What went wrong, as the account pages say it: any error of a call or of a passkey, thrown or
 * returned.
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
