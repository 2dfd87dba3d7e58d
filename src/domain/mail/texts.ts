import { readdirSync } from 'node:fs'
import path from 'node:path'
import { de as germanPages } from '../../common/words/account-de.ts'
import { en as englishPages } from '../../common/words/account-en.ts'
import { fieldCodes } from '../../problems/fields.ts'
import { problems } from '../../problems/list.ts'
import { readText, UnreadableText } from '../text-files.ts'
import { de as germanMails } from './texts/de.ts'
import { en as englishMails } from './texts/en.ts'
import type { Dictionary as MailTexts } from './texts/en.ts'

/** The texts of mails and of the account pages, by key. */
type Dictionary = MailTexts & Readonly<Record<string, string>>

/** The texts of every language, by its tag (BCP 47). */
export type Texts = ReadonlyMap<string, Dictionary>

/** The texts of one language or file. */
type Given = Readonly<Record<string, string>>

const en: Dictionary = { ...englishPages, ...englishMails }
const de: Dictionary = { ...germanPages, ...germanMails }

/** The words of the portal itself about problems and about mistakes in fields, in English. */
const ofPortal: Given = Object.fromEntries([
  ...Object.entries(problems).map(([code, { detail }]) => [`problem.${code}`, detail]),
  ...Object.entries(fieldCodes).map(([code, meaning]) => [`field.${code}`, meaning])
])

/** Every text that a language can have, in English. */
export const english: Given = Object.fromEntries(
  Object.keys(de).map((key) => [key, en[key] ?? ofPortal[key] ?? ''])
)

/** The texts of a dictionary that the account pages show. */
export const pageTexts = (texts: Given) =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => !Object.hasOwn(englishMails, key)))

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

/** The languages that come with the portal as files. Others are added in the same form. */
const shippedFolder = path.join(import.meta.dirname, '../../common/words')
let shipped: ReadonlyMap<string, Given> | undefined

/** The texts that a language has of its own, without a file of MAIL_TEXTS. */
const builtIn = (tag: string): Given =>
  (tag === 'en' ? en : tag === 'de' ? de : shipped?.get(tag)) ?? {}

/**
 * English, German, French and Spanish, and whatever `<locale>.json` files the directory adds or
 * replaces. A key that a file lacks comes from the same language without its region, else from
 * English. Throws TextsError.
 */
export function loadTexts(directory?: string): Texts {
  if (directory === undefined) return (withoutFiles ??= readTexts())
  return readTexts(directory)
}

/** Each application needs these several times. They do not change while the process runs. */
let withoutFiles: Texts | undefined

function readTexts(directory?: string): Texts {
  const problems: string[] = []
  shipped ??= readDirectory(shippedFolder, problems)
  const given = directory === undefined ? new Map() : readDirectory(directory, problems)
  if (problems.length > 0) throw new TextsError(problems)
  const own = (tag: string): Given => ({ ...builtIn(tag), ...given.get(tag) })
  const tags = new Set(['en', 'de', ...shipped.keys(), ...given.keys()])
  return new Map(
    [...tags].map((tag) => [
      tag,
      { ...en, ...own('en'), ...own(languageOf(tag)), ...(tag !== languageOf(tag) && own(tag)) }
    ])
  )
}

/**
 * The texts that a language lacks, in English: both its own files and those of the language without
 * its region are looked at. Throws TextsError.
 */
export function missingTexts(tag: string, directory?: string): Given {
  const texts = loadTexts(directory)
  const given = directory === undefined ? new Map() : readDirectory(directory, [])
  const found = { ...builtIn(languageOf(tag)), ...given.get(languageOf(tag)), ...given.get(tag) }
  return Object.fromEntries(
    Object.entries({ ...english, ...texts.get('en') }).filter(
      ([key]) => Object.hasOwn(english, key) && !Object.hasOwn(found, key)
    )
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

/** Whether a file of MAIL_TEXTS can have this name. */
export const isTag = (text: string) => canonical(text) === text

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {} // a RangeError means that the tag is invalid
}

function readDirectory(directory: string, problems: string[]) {
  const found = new Map<string, Given>()
  let names: string[] = []
  try {
    names = readdirSync(directory).filter((name) => name.endsWith('.json'))
  } catch {
    problems.push(`MAIL_TEXTS names a directory that cannot be read: ${directory}`)
  }
  for (const name of names) {
    const tag = name.slice(0, -'.json'.length)
    const file = path.join(directory, name)
    if (!isTag(tag)) {
      problems.push(`${file}: the name must be a language tag like fr.json or pt-BR.json`)
      continue
    }
    const texts = readObject(file, problems)
    for (const [key, text] of Object.entries(texts)) {
      const problem = textProblem(key, text)
      if (problem !== undefined) problems.push(`${file}: ${key} ${problem}`)
    }
    found.set(tag, texts as Given)
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
  if (!Object.hasOwn(english, key)) return 'is not the key of a text'
  if (typeof text !== 'string' || text.trim() === '') return 'must be a text'
  if (text.length > 1000 || /\p{Cc}/u.test(text)) {
    return 'must have at most 1000 characters, without line breaks'
  }
  const allowed = placeholdersIn(english[key] ?? '')
  for (const name of text.match(/\{[^{}]*\}?|\}/g) ?? []) {
    if (allowed.has(name)) continue
    const known = allowed.size > 0 ? `only ${[...allowed].join(', ')}` : 'no placeholder'
    return `has ${name}, but may have ${known}`
  }
}

const placeholdersIn = (text: string) => new Set(text.match(placeholder))
