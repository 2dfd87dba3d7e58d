import { readBoolean } from '../domain/foreign-booleans.ts'

// Reads what another system exported, whose types are not known.

export type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
export const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.map((each) => fieldsOf(each)) : []
export const textOf = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value : undefined
/** JSON inside of JSON. */
export const inner = (value: unknown): Fields => {
  try {
    return fieldsOf(JSON.parse(textOf(value) ?? '{}'))
  } catch {
    return {}
  }
}
/** PostgreSQL writes `t` for true. */
export const booleanOf = (value: unknown) => readBoolean(value === 't' ? true : value)
export const timeOf = (value: unknown) => {
  const at = new Date(typeof value === 'number' ? value : (textOf(value) ?? Number.NaN))
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
export const nameOf = (...parts: unknown[]) =>
  textOf(
    parts
      .map((part) => textOf(part)?.trim() ?? '')
      .join(' ')
      .trim()
  )

export function line({ email, name, ...rest }: Fields): Fields {
  const address = textOf(email)
  // Many systems do not ask for a name.
  const fields = { email, name: textOf(name) ?? address?.split('@')[0], ...rest }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** What other systems call the providers whose subjects are the same in every system. */
const issuers: Record<string, string> = {
  google: 'https://accounts.google.com',
  'google.com': 'https://accounts.google.com',
  'google-oauth2': 'https://accounts.google.com',
  github: 'https://github.com',
  'github.com': 'https://github.com',
  apple: 'https://appleid.apple.com',
  'apple.com': 'https://appleid.apple.com'
}

/** Accounts at other providers are left out: their users link them again. */
export function providersOf(accounts: { provider: unknown; subject: unknown; email?: unknown }[]) {
  const known = accounts.flatMap(({ provider, subject, email }) => {
    const issuer = issuers[textOf(provider) ?? '']
    const id = typeof subject === 'number' ? String(subject) : textOf(subject)
    return issuer === undefined || id === undefined
      ? []
      : [{ issuer, subject: id, ...(textOf(email) !== undefined && { email }) }]
  })
  return known.length > 0 ? known : undefined
}
