import { pages, readPage } from './documents.ts'

// The words that people write and read in the documents: neither code blocks nor generated parts.

/** The changelog grows with every version. */
const notCounted = new Set(['CHANGELOG.md', 'docs/lookup/errors.md'])

export const writtenPages = () => pages().filter((page) => !notCounted.has(page))

const written = (page: string) =>
  page
    .replace(/<!-- (.+): written by npm run generate -->[^]*?<!-- end of \1 -->/g, '')
    .replace(/^( *)(```|~~~)[^]*?^\1\2$/gm, '')

export const wordsOf = (text: string) =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))

export const words = (page: string) => wordsOf(written(readPage(page))).length

/** Paragraphs, items of lists and cells of tables, each on one line. */
function unitsOf(text: string) {
  return text
    .replace(/^(\||#|\s*(?:[-*]|\d+\.) )/gm, '\n$1') // each begins a unit
    .split(/\n\s*\n/)
    .map((unit) => unit.replaceAll(/\s*\n\s*/g, ' ').trim())
    .filter((unit) => !unit.startsWith('#'))
    .flatMap((unit) => (unit.startsWith('|') ? unit.split(/(?<!\\)\|/) : unit))
}

/** Every sentence of a page: three words or more up to a full stop, a colon or the like. */
export const sentences = (page: string) =>
  unitsOf(written(readPage(page)))
    .map((unit) => unit.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/`[^`]*`/g, '`x`'))
    .flatMap((unit) => unit.split(/(?<=[.!?:][)*_"]{0,3})\s+(?=[\p{Lu}`*"(])/u))
    .filter((sentence) => /[.!?:][)*_"]*$/.test(sentence) && wordsOf(sentence).length > 2)

/** The paragraph after the title. */
export const openingOf = (page: string) =>
  /^# .+\n\n([^]+?)\n(?:\n|$)/m.exec(written(readPage(page)))?.[1] ?? ''
