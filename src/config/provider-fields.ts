import { roleKeyForm } from '../../db/schema/roles.ts'
import { issuerLength } from '../../db/schema/provider-accounts.ts'
import { isSigningKey } from '../domain/crypto.ts'
import { loopback } from '../domain/networks.ts'
import { domainOf } from '../domain/providers/provider.ts'
import { normalizeEmail } from '../domain/users/emails.ts'
import { readText } from '../domain/text-files.ts'

// How the members of a provider in the file of PROVIDERS are read. Each check returns the value, or
// throws what the member must be. None repeats a value.

/** A description of the values that a member may have. */
export class Mistake extends Error {}
const mistake = (text: string) => new Mistake(text)

type Read<T> = (value: unknown) => T

export const oneOf =
  <const T extends readonly string[]>(words: T): Read<T[number]> =>
  (value) => {
    if (!words.includes(value as string)) throw mistake(`must be one of ${words.join(', ')}`)
    return value as T[number]
  }

export const flag: Read<boolean> = (value) => {
  if (typeof value !== 'boolean') throw mistake('must be true or false')
  return value
}

/** Text without control characters. */
export const line =
  (max: number): Read<string> =>
  (value) => {
    const valid = typeof value === 'string' && value.length >= 1 && value.length <= max
    if (!valid || /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u.test(value)) {
      throw mistake(`must be a text of 1 to ${max} characters, without control characters`)
    }
    return value
  }

export const seconds: Read<number> = (value) => {
  if (!Number.isInteger(value) || Number(value) < 300 || Number(value) > 2_592_000) {
    throw mistake('must be a whole number from 300 to 2592000')
  }
  return Number(value)
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** A tenant has its users only. The words stand for any tenant. */
export const isOneTenant = (tenant: string) => guid.test(tenant)

export const tenant: Read<string> = (value) => {
  if (typeof value === 'string' && (guid.test(value) || anyTenant.includes(value))) return value
  throw mistake(`must be the id of a tenant in lowercase, or one of ${anyTenant.join(', ')}`)
}
const anyTenant = ['common', 'organizations', 'consumers']
/** Whether tokens with the issuer of any tenant of Microsoft would be accepted. */
export function isOfManyTenants(issuer: string) {
  const { hostname, pathname } = new URL(issuer)
  return hostname === 'login.microsoftonline.com' && !isOneTenant(pathname.split('/')[1] ?? '')
}

export const issuer =
  (development: boolean): Read<string> =>
  (value) => {
    const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
    const secure =
      url?.protocol === 'https:' ||
      (development && url?.protocol === 'http:' && loopback.test(url.hostname))
    if (!secure || /[?#@\s]/.test(String(value)) || String(value).length > issuerLength.max) {
      throw mistake(
        'must be an https URL without a query, fragment or user (http only on loopback, in ' +
          'development)'
      )
    }
    return String(value)
  }

const listOf = (value: unknown, max: number): unknown[] => {
  if (!Array.isArray(value) || value.length === 0 || value.length > max) {
    throw mistake(`must be a list of 1 to ${max} items`)
  }
  return value
}

/** Domains of e-mail addresses, in the form in which addresses are compared. */
export const domains: Read<string[]> = (value) =>
  listOf(value, 100).map((each) => {
    const email = typeof each === 'string' ? normalizeEmail(`user@${each}`) : undefined
    if (email === undefined) throw mistake('must list domains like example.com, without @ or *')
    return domainOf(email)
  })

const texts: Read<string[]> = (value) => listOf(value, 20).map(line(200))

export const assurance: Read<{ amr: string[]; acr: string[] }> = (value) => {
  const { amr, acr, ...others } = fieldsOf(value)
  if (Object.keys(others).length > 0 || (amr === undefined && acr === undefined)) {
    throw mistake('must have amr, acr or both, and nothing else')
  }
  return { amr: amr === undefined ? [] : texts(amr), acr: acr === undefined ? [] : texts(acr) }
}

export const roles: Read<{ claim: string; map: Record<string, string> }> = (value) => {
  const { claim, map, ...others } = fieldsOf(value)
  const pairs = Object.entries(fieldsOf(map))
  const valid = pairs.every(([, role]) => typeof role === 'string' && roleKeyForm.test(role))
  if (Object.keys(others).length > 0 || pairs.length === 0 || pairs.length > 200 || !valid) {
    throw mistake('must have a claim and a map from its values to keys of roles')
  }
  return { claim: line(100)(claim), map: Object.fromEntries(pairs) as Record<string, string> }
}

/** The content of a file that only the portal should be able to read. */
export const secretFile: Read<string> = (value) => {
  const file = line(4096)(value)
  let content: string
  try {
    content = readText(file).trim()
  } catch (error) {
    throw mistake(`names a file that ${(error as Error).message}`)
  }
  if (content === '') throw mistake('names an empty file')
  return content
}

export const privateKeyFile: Read<string> = (value) => {
  const key = secretFile(value)
  if (!isSigningKey(key)) throw mistake('must name a file with a private key for ES256, in PEM')
  return key
}

/** The members of an object. Throws for anything else. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw mistake('must be an object')
  }
  return value as Record<string, unknown>
}
