import { Secret } from 'otpauth'
import { isDay } from '../common/days.ts'
import { invalidFields } from '../domain/errors.ts'
import { foreignHash, unsafe } from '../domain/passwords/foreign-forms.ts'
import type { FirebaseParameters } from '../domain/passwords/foreign-forms.ts'
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

type Credential = Record<string, unknown>

// Secrets of users in the forms of other systems.

/** The secret in base32, if the codes are of the kind that the portal accepts. */
export function keycloakTotp(credential: Credential) {
  const data = objectOf(credential.credentialData)
  const accepted = { subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' }
  if (Object.entries(accepted).some(([name, value]) => data[name] !== value)) return undefined
  const secret = textOf(objectOf(credential.secretData).value)
  if (secret === undefined || data.secretEncoding === 'BASE32') return secret
  return Secret.fromUTF8(secret).base32
}

/** The parameters are text in an object of its own, and of Argon2 in lists. */
export function keycloakHash(credential: Credential) {
  const secret = objectOf(credential.secretData)
  const { algorithm, hashIterations, additionalParameters } = objectOf(credential.credentialData)
  const [hash, salt] = [secret.value, secret.salt].map((value) =>
    Buffer.from(textOf(value) ?? '', 'base64')
  ) as [Buffer, Buffer]
  const iterations = String(hashIterations)
  if (algorithm === 'pbkdf2' || algorithm === 'pbkdf2-sha1') {
    throw unsafe('Uses PBKDF2 with SHA-1')
  }
  if (algorithm !== 'argon2') {
    const scheme = textOf(algorithm) ?? ''
    return foreignHash({ scheme, parameters: [iterations], salt, hash })
  }
  const more = objectOf(additionalParameters)
  const first = (name: string) => textOf([more[name]].flat()[0])
  const scheme = first('version') === '1.3' ? `argon2${first('type')}` : ''
  return foreignHash({
    scheme,
    parameters: [first('memory'), first('parallelism'), iterations],
    salt,
    hash
  })
}

const parameter =
  /\b(base64_signer_key|base64_salt_separator|rounds|mem_cost)["']? ?[:=] ?["']?([\w+/=-]{1,200})/g

/** Reads the parameters of a project, as the console of Firebase shows them. */
export function firebaseParameters(text: string): FirebaseParameters | undefined {
  const found = new Map([...text.matchAll(parameter)].map(([, name, value]) => [name, value]))
  const signerKey = found.get('base64_signer_key')
  const saltSeparator = found.get('base64_salt_separator')
  const [rounds, memoryCost] = [Number(found.get('rounds')), Number(found.get('mem_cost'))]
  if (signerKey === undefined || saltSeparator === undefined) return undefined
  if (!Number.isInteger(rounds) || !Number.isInteger(memoryCost)) return undefined
  return { signerKey, saltSeparator, rounds, memoryCost }
}
