import { fill } from '../../client/sentences.ts'
import type { Schemas } from './client.ts'
import { en } from './words/en.ts'

type Codes = Schemas['Problem']['code']
type FieldCodes = Schemas['FieldCode']

/** All keys, and what the portal says in English: problems and mistakes in fields, by code. */
export type Translation<Key extends string> = Record<Key, string> &
  Partial<Record<`problem.${Codes}` | `field.${FieldCodes}`, string>>

let spoken: Partial<Record<string, string>> = en
let language = 'en'

/** Replaces the words of the page. Call it before anything is shown. */
export function speak(tag: string, dictionary: Translation<keyof typeof en>) {
  spoken = dictionary
  language = tag
  document.documentElement.lang = tag
}

export const spokenLanguage = () => language

/** The text of a key, for the shared parts. */
export const say = (key: keyof typeof en, values: Record<string, string | number> = {}) =>
  fill(spoken[key] ?? key, values)

/** The text of a problem or of a mistake in a field, if the language has its own. */
export const translationOf = (key: `problem.${string}` | `field.${string}`) => spoken[key]

export const words = () => spoken
