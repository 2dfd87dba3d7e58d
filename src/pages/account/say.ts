import { fill } from '../../client/sentences.ts'
import { speak } from '../shared/say.ts'
import { de } from './words/de.ts'
import { en } from './words/en.ts'

const languages = { en, de }

/** The first language of the reader that has words. */
const language = navigator.languages
  .map((tag) => tag.split('-')[0] ?? '')
  .find((name): name is keyof typeof languages => Object.hasOwn(languages, name))
const words = languages[language ?? 'en']
speak(language ?? 'en', words)

export type Key = keyof typeof en

export const say = (key: Key, values: Record<string, string | number> = {}) =>
  fill(words[key], values)
