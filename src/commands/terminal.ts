import { createReadStream, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import confirm from '@inquirer/confirm'
import password from '@inquirer/password'
import { UsageError } from './errors.ts'

// Data goes to stdout, everything that is said to a person to stderr.

type Row = Record<string, unknown>

/** Rows as a table for people, or as one JSON value for machines. */
export function printRows (rows: readonly Row[], columns: readonly string[], json: boolean) {
  if (json) return printJson(rows)
  if (rows.length === 0) return say('none')
  const cells = [columns.map((column) => column.toUpperCase()), ...rows.map((row) => columns.map((column) => show(row[column])))]
  const widths = columns.map((_, n) => Math.max(...cells.map((row) => row[n]?.length ?? 0)))
  for (const row of cells) process.stdout.write(row.map((cell, n) => n < columns.length - 1 ? cell.padEnd(widths[n] ?? 0) : cell).join('  ') + '\n')
}

/** One thing, a line for each of its fields. */
export function printOne (row: Row, fields: readonly string[], json: boolean) {
  if (json) return printJson(row)
  const width = Math.max(...fields.map((field) => field.length))
  for (const field of fields) process.stdout.write(`${field.padEnd(width)}  ${show(row[field])}\n`)
}

export const printJson = (value: unknown) => { process.stdout.write(JSON.stringify(value, null, process.stdout.isTTY ? 2 : 0) + '\n') }

export const say = (message: string) => { process.stderr.write(message + '\n') }

function show (value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.join(' ')
  return plain(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** What others wrote must not speak to the terminal: no control characters. */
const plain = (text: string) => text.replace(/\p{Cc}/gu, '�')

/** A password from `file` (`-` is stdin), or from a prompt that does not show it. Never from an argument: others see those. */
export async function readPassword (file: string | undefined): Promise<string> {
  if (file === '-') return firstLine(await text(process.stdin))
  if (file !== undefined) {
    try {
      return firstLine(readFileSync(file, 'utf8'))
    } catch {
      throw new UsageError(`The file ${file} cannot be read.`)
    }
  }
  if (!process.stdin.isTTY) throw new UsageError('There is no terminal to ask for a password: use --password-file FILE, or - for stdin.')
  const typed = await password({ message: 'Password' }, { output: process.stderr })
  const again = await password({ message: 'The same again' }, { output: process.stderr })
  if (typed !== again) throw new UsageError('The two passwords differ.')
  return typed
}

const firstLine = (text: string) => text.split(/\r?\n/, 1)[0] ?? ''

/** Asks before something is lost; without a terminal only --yes will do. */
export async function requireConfirmation (what: string, yes: boolean | undefined) {
  if (yes) return
  if (!process.stdin.isTTY) throw new UsageError(`${what} There is no terminal to ask: add --yes.`)
  if (!await confirm({ message: `${what} Go on?`, default: false }, { output: process.stderr })) throw new UsageError('Nothing was changed.')
}

/** A file, or stdin for `-`. */
export function openInput (file: string) {
  return file === '-' ? process.stdin : createReadStream(file)
}
