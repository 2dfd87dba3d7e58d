import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { root } from './root.ts'

// The documents of the repository, for tests and for .ci/built.mjs.

export interface Block {
  language: string
  text: string
  /** Line of the page, from 1. */
  line: number
  /** Why it is not run. */
  reason: string | undefined
  /** The file that later blocks import it from. */
  file: string | undefined
  exitCode: number
  /** The output that it prints. */
  shown?: Block
}

export const readPage = (page: string) => readFileSync(path.join(root, page), 'utf8')

/** Every document, named from the root of the repository. */
export const pages = () =>
  ['.', 'docs', 'examples/app', 'examples/customers', 'examples/orders'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: folder === 'docs', encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.join(folder, name))
  )

/**
 * The fenced blocks of a page. `sh` and `js` are run, unless the fence says `not run: REASON`, and
 * succeed, unless it says `exit code N`. A block of `json` or `text` right after one of them is
 * what it prints. Later blocks of the page can import one that says `as FILE`.
 */
export function blocksOf(page: string): Block[] {
  const all = readPage(page)
  const blocks: Block[] = []
  let end = 0
  for (const match of all.matchAll(/^( *)```(\w*)([^\n]*)\n([\s\S]*?)^\1```$/gm)) {
    const [fence, , language = '', info = '', text = ''] = match
    const line = all.slice(0, match.index).split('\n').length
    const exitCode = Number(/exit code (\d+)/.exec(info)?.[1] ?? 0)
    const [, file] = / as (\S+)/.exec(info) ?? []
    const block = { language, text, line, reason: /not run: (.+)/.exec(info)?.[1], file, exitCode }
    const previous = all.slice(end, match.index).trim() === '' ? blocks.at(-1) : undefined
    if (previous && (language === 'json' || language === 'text')) previous.shown = block
    blocks.push(block)
    end = match.index + fence.length
  }
  return blocks
}

/**
 * The difference between a response and what a page shows, or undefined. `…` stands for any text.
 * A list of JSON that ends with "…" goes on, and an object with the member "…" has others as well:
 * a page shows what it is about.
 */
export function differenceOf(shown: Pick<Block, 'language' | 'text'>, answer: string) {
  if (shown.language === 'json') return differenceIn(JSON.parse(shown.text), JSON.parse(answer), '')
  const expected = patternOf(shown.text.trim(), '[^\\n]+')
  return expected.test(answer.trim()) ? undefined : 'it prints another text'
}

function differenceIn(shown: unknown, got: unknown, at: string): string | undefined {
  if (typeof shown === 'string' && typeof got === 'string') {
    return patternOf(shown, '[^]+').test(got) ? undefined : `${at} is ${JSON.stringify(got)}`
  }
  if (!isObject(shown) || !isObject(got)) {
    return isDeepStrictEqual(shown, got) ? undefined : `${at} is ${JSON.stringify(got)}`
  }
  const keys = Object.keys(got)
  const named = propertiesOf(shown)
  const wanted = goesOn(shown) ? keys.filter((key) => named.includes(key)) : keys
  if (!isDeepStrictEqual(named, wanted)) return `${at || 'it'} has ${keys.join(', ')}`
  return named
    .map((key) => differenceIn(shown[key], got[key], `${at}/${key}`))
    .find((difference) => difference !== undefined)
}

const goesOn = (shown: Record<string, unknown>) =>
  Array.isArray(shown) ? shown.at(-1) === '…' : '…' in shown

/** The part of a list or an object that a page shows. */
const propertiesOf = (shown: Record<string, unknown>) =>
  Object.keys(Array.isArray(shown) && goesOn(shown) ? shown.slice(0, -1) : shown).filter(
    (key) => key !== '…'
  )

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object'

const patternOf = (text: string, any: string) =>
  new RegExp(
    `^${text
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join(any)}$`
  )
