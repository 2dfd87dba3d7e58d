import { once } from 'node:events'
import stringWidth from 'string-width'
import wrap from 'wrap-ansi'
import { uuidForm } from '../../db/schema/columns.ts'
import { objectKeys } from '../domain/permissions.ts'

// Data goes to stdout, messages for people to stderr.

export type Row = Record<string, unknown>

/** The name of a field, or a header and a function that returns the cell of a row. */
export type Column<T> = (keyof T & string) | readonly [header: string, value: (row: T) => unknown]

interface RowPrinter<T> {
  add(rows: readonly T[]): Promise<void>
  end(): Promise<void>
}

/** Number of rows that determine the column widths and are held in memory at a time. */
const sample = 1000

/**
 * Prints a table that fits the width of the terminal, or a block of lines for each row when the
 * terminal is too narrow. Without a terminal each row is one line.
 */
export function tablePrinter<T extends object>(columns: readonly Column<T>[]): RowPrinter<T> {
  const headers = columns.map((column) => words(typeof column === 'string' ? column : column[0]))
  const values = (row: T) =>
    columns.map((column) => (typeof column === 'string' ? row[column] : column[1](row)))
  const capitals = headers.map((header) => header.toUpperCase())
  let waiting: unknown[][] = []
  let widths: number[] | undefined
  const flush = async () => {
    if (waiting.length === 0) return
    const cells = waiting.map((row) => row.map(show))
    const head = widths ? [] : [capitals]
    const rigid = columns.map((_, n) => waiting.some((row) => isRigid(row[n])))
    const fitted = (widths ??= fit([capitals, ...cells], rigid, terminalWidth()))
    waiting = []
    await write(
      fits(fitted, terminalWidth())
        ? [...head, ...cells].map((row) => layOut(row, fitted, isTerminal())).join('')
        : cells.map((row) => `${block(headers, row)}\n`).join('')
    )
  }
  return {
    async add(rows) {
      waiting.push(...rows.map(values))
      if (waiting.length >= sample) await flush()
    },
    async end() {
      await flush()
      if (!widths) say('none')
    }
  }
}

/** Prints rows that are all in memory. */
export async function printTable<T extends object>(
  rows: readonly T[],
  columns: readonly Column<T>[]
) {
  const table = tablePrinter(columns)
  await table.add(rows)
  await table.end()
}

/** A line for each field. */
function block(names: readonly string[], values: readonly string[]) {
  const cells = names.map((name, n) => [name, values[n] ?? ''])
  const widths = fit(cells, [true, false], terminalWidth())
  return cells.map((line) => layOut(line, widths, isTerminal())).join('')
}

/** One JSON array, written row by row. */
export function jsonPrinter(): RowPrinter<unknown> {
  let before = '['
  return {
    async add(rows) {
      const texts = rows.map((row) => {
        const text = isTerminal() ? `\n${toJson(row).replace(/^/gm, '  ')}` : toJson(row)
        const separated = before + text
        before = ','
        return separated
      })
      await write(texts.join(''))
    },
    end: () => write(before === '[' ? '[]\n' : isTerminal() ? '\n]\n' : ']\n')
  }
}

/** Prints one row with a line for each field, in the order of the row unless given. */
export async function printOne<T extends object>(
  row: T,
  json = false,
  fields: readonly (keyof T & string)[] = objectKeys(row)
) {
  if (json) return printJson(row)
  await write(
    block(
      fields.map(words),
      fields.map((field) => show(row[field]))
    )
  )
}

export const printJson = (value: unknown) => write(`${toJson(value)}\n`)

export const say = (message: string) => {
  process.stderr.write(`${message}\n`)
}

/** Says that a change was made, and prints it for scripts. */
export async function done(message: string, json: boolean | undefined, change: unknown) {
  say(message)
  if (json) await printJson(change)
}

/** Resolves when the stream accepts more. */
export async function write(text: string) {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

const isTerminal = () => process.stdout.isTTY
const terminalWidth = () => process.stdout.columns || Infinity
const toJson = (value: unknown) => asJson(value, isTerminal() ? 2 : 0)

/** JSON that does not control a terminal: such characters are written as escape sequences. */
export const asJson = (value: unknown, indent = 0) =>
  JSON.stringify(value, null, indent).replace(
    /[\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )

/**
 * Turns `lastLoginAt` into "last login"; names of variables stay unchanged. The documents call an
 * address confirmed where names say verified, and a date alone does not read as a verb.
 */
const words = (name: string) =>
  name
    .replace('emailVerified', 'emailConfirmed')
    .replace('deleteAt', 'deletionAt')
    .replace(/([a-z])At$/, '$1')
    .replace(/([a-z])([A-Z])/g, (_, before, after: string) => `${before} ${after.toLowerCase()}`)

const isRigid = (value: unknown) =>
  value instanceof Date || (typeof value === 'string' && uuidForm.test(value))

export const timeText = (time: Date) => time.toISOString().replace(/\.\d+/, '')

function show(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (value instanceof Date) return timeText(value)
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) {
    return value.length === 0 ? '-' : plain(value.join(' '))
  }
  return plain(typeof value === 'object' ? spaced(value) : String(value))
}

/** JSON in one line, with spaces at which a terminal may wrap it. */
const spaced = (value: object) => JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')

/** Text written by others must not control the terminal or change the text direction. */
export const plain = (text: string) => text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '�')

const gap = '  '
/** Columns are not made narrower than this to fit the terminal. */
const narrowest = 8

const wholeWords = /\S+/g
/** A line may end within a word after these: `grace@`, `user.enrolment-`, `fields=name,`. */
const pieces = /[^\s@.,=/-]*[@.,=/-]+|[^\s@.,=/-]+/g

/**
 * The width of each column so that a row fits into `room` columns of the terminal. Columns are
 * wrapped between words if that is enough, else also after the punctuation in words, and else
 * anywhere. The widest column shrinks first; `rigid` columns, such as ids and times, never shrink.
 */
export function fit(rows: readonly string[][], rigid: readonly boolean[], room: number): number[] {
  const widths = rigid.map((_, column) => widest(rows.map((row) => row[column] ?? '')))
  const width = (column: number) => widths[column] ?? 0
  let excess = totalOf(widths) - room
  for (const parts of excess > 0 ? [wholeWords, pieces, undefined] : []) {
    const least = rigid.map((isRigid, column) =>
      isRigid
        ? Infinity
        : Math.max(
            narrowest,
            widest(parts ? rows.flatMap((row) => row[column]?.match(parts) ?? []) : [])
          )
    )
    for (; excess > 0; excess -= 1) {
      const shrinking = [...widths.keys()].filter((column) => width(column) > (least[column] ?? 0))
      if (shrinking.length === 0) break
      const first = shrinking.reduce((best, each) => (width(each) > width(best) ? each : best))
      widths[first] = width(first) - 1
    }
  }
  return widths
}

const widest = (texts: readonly string[]) =>
  texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0)

/** False when the rigid columns alone are too wide. */
const fits = (widths: readonly number[], room: number) => totalOf(widths) <= room

const totalOf = (widths: readonly number[]) =>
  widths.reduce((sum, each) => sum + each + gap.length, -gap.length)

/** One row of cells as lines; a cell longer than its column continues on the next line. */
export function layOut(
  row: readonly string[],
  widths: readonly number[],
  wrapping: boolean
): string {
  const cells = row.map((cell, column) => (wrapping ? wrapped(cell, widths[column] ?? 0) : [cell]))
  const height = Math.max(...cells.map((lines) => lines.length))
  const line = (n: number) =>
    cells
      .map((lines, column) => pad(lines[n] ?? '', widths[column] ?? 0))
      .join(gap)
      .trimEnd()
  return Array.from({ length: height }, (_, n) => `${line(n)}\n`).join('')
}

function wrapped(cell: string, width: number) {
  if (stringWidth(cell) <= width) return [cell]
  return wrap(broken(cell, width), width, { hard: true }).split('\n')
}

/** Breaks words that are too long for a line after their punctuation. */
const broken = (cell: string, width: number) =>
  cell
    .split(' ')
    .map((word) => {
      if (stringWidth(word) <= width) return word
      const lines = ['']
      for (const piece of word.match(pieces) ?? []) {
        const last = lines.at(-1) ?? ''
        if (last !== '' && stringWidth(last + piece) > width) lines.push(piece)
        else lines[lines.length - 1] = last + piece
      }
      return lines.join('\n')
    })
    .join(' ')

const pad = (text: string, width: number) =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)))
