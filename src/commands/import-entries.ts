import { pipeline, Readable } from 'node:stream'
import type { CsvError } from 'csv-parse'
import { byteLinesOf, decodeText, UnreadableText } from '../domain/text-files.ts'
import { UsageError } from './errors.ts'
import { at, fieldsOf } from './import-fields.ts'
import { openInput, parseJson, unreadable } from './terminal.ts'

// The users of a file, in the form in which other systems export them: a line of JSON for each, one
// JSON document, or CSV.

/** A user of a file, or why it cannot be read. */
export interface Entry {
  unit: 'line' | 'user'
  number: number
  /** The part of the file that it takes, in bytes. */
  bytes: number
  value?: unknown
  error?: unknown
}

/** In bytes. A document is read as a whole, which takes several times this memory. */
const largestDocument = 100 * 2 ** 20
const longestBeginning = 65_536
/** By which Excel knows the delimiter. The names of the columns show it as well. */
const separatorLine = /^(?:\xEF\xBB\xBF)?"?sep=."?\r?$/im

/** Throws a UsageError for a file that cannot be read at all. */
export async function* entriesOf(file: string): AsyncGenerator<Entry> {
  const { head, whole } = await begin(await openInput(file))
  const text = head.toString('latin1').trimStart()
  const [first = '', second = ''] = text.split(/\r?\n/, 2)
  const names = separatorLine.test(first) ? second : first
  const isDocument =
    text.startsWith('[') || first.trim() === '{' || /^\{\s*"(users|Users)"\s*:/.test(text)
  try {
    if (isDocument) yield* ofDocument(whole)
    else if (!text.startsWith('{') && /e-?mail/i.test(names) && /[,;\t]/.test(names)) {
      const line = names === first ? 1 : 2
      decoded(names, line)
      const delimiter = [',', ';', '\t'].find((each) => names.includes(each)) ?? ','
      yield* ofCsv(whole, delimiter, line)
    } else yield* ofLines(whole)
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** The beginning of a stream, with the first line that is not empty, and all of it. */
async function begin(input: AsyncIterable<Buffer>) {
  const chunks = input[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  const hasLine = (text: string) => text.replace(separatorLine, '').trimStart().includes('\n')
  while (head.length < longestBeginning && !hasLine(head.toString('latin1'))) {
    const next = await chunks.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  if (head.indexOf('\uFEFF') === 0) head = head.subarray(3)
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield head
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
    } finally {
      await chunks.return?.()
    }
  }
  return { head, whole: all() }
}

async function* ofLines(whole: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  let number = 0
  for await (const bytes of byteLinesOf(whole)) {
    number += 1
    const line = { unit: 'line' as const, number, bytes: bytes.length + 1 }
    try {
      const text = decodeText(bytes, number)
      if (text.trim() === '') continue
      const value = parseJson(text)
      // A realm of Keycloak that was written on one line.
      const users = listedIn(value)
      if (users) yield* users.map((each, i) => ({ ...line, ...userAt(i), value: each }))
      else yield { ...line, value }
    } catch (error) {
      // Its other lines would seem to be JSON that is not valid.
      if (error instanceof UnreadableText && error.message.includes('UTF-16')) throw error
      yield { ...line, error: unreadable('-', error) }
    }
  }
}

async function* ofDocument(whole: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of whole) {
    parts.push(part)
    size += part.length
    if (size > largestDocument) {
      throw new UsageError(
        `A JSON document has at most ${largestDocument / 2 ** 20} MiB. Write one user per line ` +
          'instead.'
      )
    }
  }
  const document = parseJson(decodeText(Buffer.concat(parts)))
  const users = Array.isArray(document) ? document : (listedIn(document) ?? [document])
  const bytes = size / users.length
  for (const [i, value] of users.entries()) yield { ...userAt(i), bytes, value }
}

const userAt = (i: number) => ({ unit: 'user' as const, number: i + 1 })

function listedIn(document: unknown): unknown[] | undefined {
  const users = at(fieldsOf(document), 'users')
  return Array.isArray(users) ? users : undefined
}

async function* ofCsv(
  whole: AsyncIterable<Buffer>,
  delimiter: string,
  firstLine: number
): AsyncGenerator<Entry> {
  const { parse } = await import('csv-parse')
  const skipped: CsvError[] = []
  const parser = parse({
    // One character for each byte: the library would replace bytes that are not UTF-8.
    encoding: 'latin1',
    delimiter,
    from_line: firstLine,
    columns: (names: string[]) => names.map((name) => decoded(name, 1).trim()),
    info: true,
    raw: true,
    trim: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true, // rows whose cells were emptied in a spreadsheet
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error) skipped.push(error)
      return undefined
    }
  })
  // An error of the source destroys the parser, whose reader gets it.
  pipeline(Readable.from(whole), parser, () => {})
  for await (const each of parser as AsyncIterable<CsvRecord>) {
    yield* skipped.splice(0).map(ofMistake)
    const number = each.info.lines - (each.raw.trimEnd().match(/\n/g)?.length ?? 0)
    const line = { unit: 'line' as const, number, bytes: each.raw.length }
    try {
      decoded(each.raw, number)
      yield { ...line, value: valueOf(each.record) }
    } catch (error) {
      yield { ...line, error: unreadable('-', error) }
    }
  }
  yield* skipped.splice(0).map(ofMistake)
}

interface CsvRecord {
  record: Record<string, string>
  raw: string
  info: { lines: number }
}

const decoded = (text: string, line: number) => decodeText(Buffer.from(text, 'latin1'), line)

function ofMistake({ code, lines }: CsvError & { lines?: number }): Entry {
  const what = code.includes('COLUMNS')
    ? 'Has another number of columns than the first line.'
    : 'Is not valid CSV: check its quotes.'
  return { unit: 'line', number: lines ?? 0, bytes: 0, error: new UsageError(what) }
}

/**
 * An empty cell is a missing value, and a list, an object or a boolean is JSON. Spreadsheets write
 * booleans in capitals.
 */
const valueOf = (record: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, cell]) => {
      const text = decoded(cell, 2)
      return text === ''
        ? []
        : [[name, /^([[{]|(true|false|TRUE|FALSE)$)/.test(text) ? jsonOr(text) : text]]
    })
  )

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(/^[TF]/.test(text) ? text.toLowerCase() : text)
  } catch {
    return text
  }
}
