import { signal } from '@preact/signals'
import { fill } from '../../client/sentences.ts'
import { en } from '../../common/words/pages-en.ts'

/** By key. A language has no texts for problems that its reader does not meet. */
export type Words = Readonly<Partial<Record<string, string>>>

/** The page is shown again when it changes. */
const spoken = signal<{ tag?: string; words: Words }>({ words: en })

/** Replaces the words of the page, and those that the language lacks by English ones. */
export function speak(tag: string, words: Words) {
  spoken.value = { tag, words: { ...en, ...words } }
  document.documentElement.lang = tag
}

/** Undefined on pages that are in English only. */
export const chosenLanguage = () => spoken.value.tag

export const spokenLanguage = () => chosenLanguage() ?? 'en'

export const languageOf = (tag: string) => tag.split('-', 1)[0]

/** The text of a key, for the shared parts. */
export const say = (key: keyof typeof en, values: Record<string, string | number> = {}) =>
  fill(spoken.value.words[key] ?? key, values)

/** The text of a problem or of a mistake in a field, if the language has its own. */
export const translationOf = (key: `problem.${string}` | `field.${string}`) =>
  spoken.value.words[key]

export const words = () => spoken.value.words
