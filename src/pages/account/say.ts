import { fill } from '../../client/sentences.ts'
import { en } from '../../common/words/account-en.ts'
import { readFile } from '../shared/client.ts'
import { settings } from '../shared/page.tsx'
import { languageOf, speak, words } from '../shared/say.ts'
import type { Words } from '../shared/say.ts'

export type Key = keyof typeof en

export const say = (key: Key, values: Record<string, string | number> = {}) =>
  fill(words()[key] ?? en[key], values)

/** The tags of the languages that these pages and the mails have. */
export const languages = Object.keys(settings.languages ?? {})

const best = (tags: readonly (string | null | undefined)[]) =>
  tags
    .flatMap((tag) => (tag ? [tag, languageOf(tag)] : []))
    .find((tag) => tag !== undefined && languages.includes(tag)) ?? 'en'

let latest = ''

/**
 * Shows the pages in the language of the user, else in the first one of the browser that has texts.
 * Without the file they stay as they are.
 */
export async function speakFor(locale: string | null | undefined) {
  const tag = best([locale, ...navigator.languages])
  if (tag === latest) return
  latest = tag
  const file = settings.languages?.[tag]
  const given = file ? await readFile<Words>(file).catch(() => undefined) : {}
  if (given && tag === latest) speak(tag, { ...en, ...given })
}
