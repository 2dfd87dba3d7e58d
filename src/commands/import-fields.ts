import { isDay } from '../domain/days.ts'
import { invalidFields } from '../domain/domain-error.ts'
import type { FieldCode } from '../problems/fields.ts'

// Reads what another system exported, whose types and spelling depend on its database.

/** By their names without case and signs: `email_verified` is `emailVerified`. */
export type Fields = ReadonlyMap<string, { name: string; value: unknown }>

export const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** SQLite and CSV have JSON as text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

export function objectOf(value: unknown): Record<string, unknown> {
  const given = parsed(value)
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  return isObject ? (given as Record<string, unknown>) : {}
}

export function fieldsOf(value: unknown): Fields {
  const found = new Map<string, { name: string; value: unknown }>()
  for (const [name, each] of Object.entries(objectOf(value))) {
    const key = plain(name)
    const before = found.get(key)?.value
    const isEmpty = before === undefined || before === null || before === ''
    // The first spelling that says something counts. Another one is named among what is left out.
    found.set(isEmpty ? key : `${key} ${name}`, { name, value: each })
  }
  return found
}

/** The value at a path such as `identity_data.email`. */
export function at(fields: Fields, path: string): unknown {
  const [name = '', ...rest] = path.split('.')
  const value = fields.get(plain(name))?.value
  return rest.length === 0 ? value : at(fieldsOf(value), rest.join('.'))
}

/** The members of a list; of an object, by its keys as `key`. */
export function listOf(value: unknown): Record<string, unknown>[] {
  const given = parsed(value)
  return Array.isArray(given)
    ? given.map(objectOf)
    : Object.entries(objectOf(given)).map(([key, each]) => ({ key, ...objectOf(each) }))
}

/** Whether nothing is lost without it. */
export const isNothing = (value: unknown): boolean =>
  [
    undefined,
    null,
    '',
    false,
    0,
    '0',
    'f',
    'false',
    'False',
    '[]',
    '{}',
    '0000-00-00 00:00:00'
  ].includes(value as string) ||
  (typeof value === 'object' && Object.keys(value ?? {}).length === 0)

export const textOf = (value: unknown) =>
  typeof value === 'number'
    ? String(value)
    : typeof value === 'string'
      ? value || undefined
      : undefined

const refuse = (name: string, code: FieldCode, message: string) =>
  invalidFields({ pointer: `/${name}`, code, message })

/** PostgreSQL writes `t`, SQLite 1, MySQL 1 or a bit, and Python `True`. */
const booleans: [boolean, unknown[]][] = [
  [true, [true, 1, '1', 't', 'true', 'yes', '\u0001', 'base64:type16:aq==']],
  [false, [false, 0, '0', 'f', 'false', 'no', '\u0000', 'base64:type16:aa==', null]]
]

/** Undefined for what is missing. Throws a refusal for anything else that is not a boolean. */
export function booleanOf(value: unknown, name: string): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (word === undefined || word === '') return undefined
  const found = booleans.find(([, words]) => words.includes(word))
  if (!found) throw refuse(name, 'wrong-type', 'Must be true or false')
  return found[0]
}

const time =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/i

/** A time, in UTC if it has no zone; a number counts seconds or milliseconds since 1970. */
export function timeOf(value: unknown, name: string): Date | undefined {
  if (isNothing(value)) return undefined
  const text = textOf(value)?.trim() ?? ''
  if (text === 'infinity') return new Date(8.64e15)
  const [, day, hour = '00:00', zone = 'Z'] = time.exec(text) ?? []
  const offset = zone
    .replace(/^(Z|UTC)$/i, 'Z')
    .replace(/^([+-]\d\d):?(\d\d)?$/, (_, h, m) => `${h}:${m ?? '00'}`)
  const number = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  // In milliseconds, this bound is in 1973; in seconds, in the year 5138.
  const since1970 = Math.abs(number) < 1e11 ? number * 1000 : number
  const found = new Date(day === undefined ? since1970 : `${day}T${hour}${offset}`)
  if (Number.isNaN(found.getTime()) || (day !== undefined && !isDay(day))) {
    throw refuse(name, 'malformed', 'Must be a time such as 2024-05-06 07:08:09')
  }
  return found
}

/** Throws a refusal for a user without an address, whom the portal could never reach. */
export function emailOf(value: unknown): string {
  const email = textOf(value)?.trim()
  if (!email) throw refuse('email', 'required', 'Is missing: every user needs an address')
  return email
}
