import { readdirSync } from 'node:fs'
import path from 'node:path'
import { readText, UnreadableText } from '../text-files.ts'
import { de } from './texts/de.ts'
import { en } from './texts/en.ts'
import type { Dictionary, TextKey } from './texts/en.ts'

/** The texts of every language, by its tag (BCP 47). */
export type Texts = ReadonlyMap<string, Dictionary>

const placeholder = /\{([a-z]+)\}/g

/** The sentence with its values. A value is not searched for placeholders again. */
export const fill = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replace(placeholder, (whole, name: string) => values[name] ?? whole)

/** Lists every mistake in the files of MAIL_TEXTS, with file and key. */
export class TextsError extends Error {
  override name = 'TextsError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The texts of mails cannot be used:\n${problems.map((each) => `  ${each}`).join('\n')}`)
    this.problems = problems
  }
}

/**
 * English and German, and whatever `<locale>.json` files the directory adds or replaces. A key
 * that a file lacks comes from the same language without its region, else from English.
 * Throws TextsError.
 */
export function loadTexts(directory?: string): Texts {
  const problems: string[] = []
  const given = directory === undefined ? new Map() : readDirectory(directory, problems)
  if (problems.length > 0) throw new TextsError(problems)
  const own = (tag: string): Partial<Dictionary> => ({ ...(tag === 'de' && de), ...given.get(tag) })
  const tags = new Set(['en', 'de', ...given.keys()])
  return new Map(
    [...tags].map((tag) => [
      tag,
      { ...en, ...own('en'), ...own(languageOf(tag)), ...(tag !== languageOf(tag) && own(tag)) }
    ])
  )
}

/** The tag in `texts` that fits a language tag best: the same one, else its language alone. */
export function findLocale(
  texts: Pick<Texts, 'has'>,
  tag: string | null | undefined
): string | undefined {
  if (!tag) return undefined
  if (texts.has(tag)) return tag
  return texts.has(languageOf(tag)) ? languageOf(tag) : undefined
}

/** The first language of an Accept-Language header that there are texts in. */
export function acceptedLocale(texts: Texts, header: string | undefined): string | undefined {
  for (const item of (header ?? '').split(',', 20)) {
    const found = findLocale(texts, canonical(item.split(';', 1)[0]?.trim() ?? ''))
    if (found !== undefined) return found
  }
}

export const languageOf = (tag: string): string => tag.split('-', 1)[0] ?? tag

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {} // a RangeError means that the tag is invalid
}

function readDirectory(directory: string, problems: string[]) {
  const found = new Map<string, Partial<Dictionary>>()
  let names: string[] = []
  try {
    names = readdirSync(directory).filter((name) => name.endsWith('.json'))
  } catch {
    problems.push(`MAIL_TEXTS names a directory that cannot be read: ${directory}`)
  }
  for (const name of names) {
    const tag = name.slice(0, -'.json'.length)
    const file = path.join(directory, name)
    if (canonical(tag) !== tag) {
      problems.push(`${file}: the name must be a language tag like fr.json or pt-BR.json`)
      continue
    }
    const texts = readObject(file, problems)
    for (const [key, text] of Object.entries(texts)) {
      const problem = textProblem(key, text)
      if (problem !== undefined) problems.push(`${file}: ${key} ${problem}`)
    }
    found.set(tag, texts as Partial<Dictionary>)
  }
  return found
}

function readObject(file: string, problems: string[]): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readText(file))
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
    problems.push(`${file}: must be an object of texts`)
  } catch (error) {
    const what = error instanceof UnreadableText ? error.message : 'cannot be read as JSON'
    problems.push(`${file}: ${what}`)
  }
  return {}
}

/** Describes a mistake in the text of a key, or returns undefined. */
export function textProblem(key: string, text: unknown): string | undefined {
  if (!Object.hasOwn(en, key)) return 'is not the key of a text'
  if (typeof text !== 'string' || text.trim() === '') return 'must be a text'
  if (text.length > 1000 || /\p{Cc}/u.test(text)) {
    return 'must have at most 1000 characters, without line breaks'
  }
  const allowed = placeholdersIn(en[key as TextKey])
  for (const name of text.match(/\{[^{}]*\}?|\}/g) ?? []) {
    if (allowed.has(name)) continue
    const known = allowed.size > 0 ? `only ${[...allowed].join(', ')}` : 'no placeholder'
    return `has ${name}, but may have ${known}`
  }
}

const placeholdersIn = (text: string) => new Set(text.match(placeholder))
