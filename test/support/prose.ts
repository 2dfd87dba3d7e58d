import { pages, readPage } from './documents.ts'

// The words that people write and read in the documents: neither code blocks nor generated parts.

/** Generated, or records that only get longer: what has changed, and what was decided. */
const notCounted = /^CHANGELOG\.md$|^docs\/lookup\/errors\.md$|^docs\/understand\/decisions\/\d/

export const writtenPages = () => pages().filter((page) => !notCounted.test(page))

const written = (page: string) =>
  page
    .replace(/<!-- (.+): written by npm run generate -->[^]*?<!-- end of \1 -->/g, '')
    .replace(/^( *)(```|~~~)[^]*?^\1\2$/gm, '')

export const wordsOf = (text: string) =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))

/** Code counts as one word, and a page's list of its own sections is not counted. */
export const words = (page: string) =>
  wordsOf(textOf(written(readPage(page)).replace(/^(?:- |\d\. )\[[^\]]+\]\(#[^)]*\)\n/gm, '')))
    .length

/** Without the addresses of links, and with code as one word. */
const textOf = (text: string) =>
  text.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/`[^`]*`/g, '`x`')

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
    .flatMap((unit) => textOf(unit).split(/(?<=[.!?:][)*_"]{0,3})\s+(?=[\p{Lu}`*"(])/u))
    .filter((sentence) => /[.!?:][)*_"]*$/.test(sentence) && wordsOf(sentence).length > 2)

/** The first sentence after the title. */
export const firstSentenceOf = (page: string) =>
  /^# .+\n\n([^]+?[.:?])(?=\s)/m.exec(written(readPage(page)))?.[1] ?? ''
