import t from 'tap'
import { readPage } from './support/documents.ts'
import { withinLimit } from './support/size-limits.ts'
import { client, files, pages, textOf } from './support/sources.ts'
import { firstSentenceOf, sentences, words, wordsOf, writtenPages } from './support/prose.ts'

// How much there is to read, in documents and sources, and how long its sentences are.

t.test('all pages together have at most 36,000 words', async (t) => {
  const counts = writtenPages().map((page) => [words(page), page] as const)
  const longest = counts.toSorted(([a], [b]) => b - a).slice(0, 5)
  const total = counts.reduce((sum, [count]) => sum + count, 0)
  t.ok(total > 20_000, 'the pages are read')
  withinLimit(t, 'words of all pages', { size: total, limit: 36_000 })
  t.comment(`the longest pages: ${longest.join(' ')}`)
})

t.test('the product has at most 82,000 lines, as a page says', async (t) => {
  const lines = [...files, ...pages, ...client].reduce(
    (sum, file) => sum + textOf(file).split('\n').length - 1,
    0
  )
  t.ok(lines > 50_000, 'the sources are read')
  withinLimit(t, 'lines of the product', { size: lines, limit: 82_000 })
  t.match(readPage('docs/understand/what-it-is-not.md'), /at most 82,000\s+lines/)
})

t.test('no page is a book', async (t) => {
  t.same(
    writtenPages().filter((page) => words(page) > 2000),
    []
  )
})

t.test('sentences are short', async (t) => {
  const all = writtenPages().flatMap((page) =>
    sentences(page).map((text) => ({ page, text, length: wordsOf(text).length }))
  )
  const lengths = all.map(({ length }) => length).toSorted((a, b) => a - b)
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0
  t.ok(lengths.length > 1000, 'sentences are found')
  t.ok(median <= 14, `the median is ${median} words`)
  const long = all.filter(({ length }) => length > 30)
  withinLimit(t, 'sentences of more than 30 words', { size: long.length, limit: 60 })
  t.same(
    all.filter(({ length }) => length > 45),
    [],
    'none has to be read twice'
  )
})

t.test('each page begins with one line of purpose, and not with whom it is for', async (t) => {
  const isPurpose = (text: string) => !text.startsWith('For ') && wordsOf(text).length <= 30
  t.same(
    writtenPages().filter((page) => page !== 'README.md' && !isPurpose(firstSentenceOf(page))),
    []
  )
})
