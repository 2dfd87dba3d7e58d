import { issuerLength, subjectLength } from '../../../db/schema/provider-accounts.ts'
import { nameLength } from '../../../db/schema/users.ts'
import { isBlank } from '../texts.ts'
import { normalizeEmail } from '../users/emails.ts'
import { ProviderRefusal } from './client.ts'
import type { Claims } from './client.ts'
import { domainOf, findByDomain } from './provider.ts'
import type { Provider } from './provider.ts'

/** Who somebody is, as a provider says and as far as it is trusted. */
export interface Identity {
  issuer: string
  subject: string
  /** Undefined when the provider has not confirmed it. */
  address?: Address
  name?: string
  /** Whether the provider has proved two factors. */
  hasTwoFactors: boolean
  /** When the user authenticated at the provider, if it says so. */
  authenticatedAt?: Date
  /** When the ID token was issued, if there is one. In seconds since 1970. */
  issuedAt?: number
  /** Keys of the roles that the user should have. Undefined when the provider does not say. */
  roles?: string[]
}

export interface Address {
  email: string
  emailNormalized: string
  /**
   * `authoritative`: the provider speaks for the mailbox. `claimed`: it only says that the address
   * was confirmed once.
   */
  trust: 'authoritative' | 'claimed'
}

/**
 * Reads claims that the provider has proved. Throws ProviderRefusal for an issuer or subject that
 * is not valid; anything else that is not valid counts as missing.
 */
export function identityOf(provider: Provider, claims: Claims): Identity {
  const address = addressOf(provider, claims)
  const name = nameOf(claims)
  const roles = rolesOf(provider, claims)
  const { auth_time: at, iat } = claims
  return {
    issuer: identifier(claims.iss, issuerLength.max),
    subject: identifier(claims.sub, subjectLength.max),
    ...(address && { address }),
    ...(name !== undefined && { name }),
    hasTwoFactors: hasTwoFactors(provider, claims),
    ...(isTime(at) && { authenticatedAt: new Date(at * 1000) }),
    ...(typeof iat === 'number' && { issuedAt: iat }),
    ...(roles && { roles })
  }
}

/** Whether the provider speaks for somebody of one of its domains, and not of any other account. */
export const isOfDomains = ({ domains }: Provider, { address }: Pick<Identity, 'address'>) =>
  address?.trust === 'authoritative' && domains.includes(domainOf(address.emailNormalized))

/**
 * Whether a stored account is of the domains of its provider, by the address for which the provider
 * last spoke. A session or a sign-in that waits may have begun with it before they were required.
 */
export const isStoredOfDomains = (
  providers: readonly Provider[] = [],
  { provider, email, speaksForEmail }: StoredAccount
) =>
  speaksForEmail === true &&
  findByDomain(providers, normalizeEmail(email ?? '') ?? '')?.key === provider

interface StoredAccount {
  provider: string
  email: string | null
  /** Null without an account. */
  speaksForEmail: boolean | null
}

/** Seconds since 1970, until a year far ahead: a later one does not fit into the database. */
const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < 1e11

/** Printable ASCII (OpenID Connect Core 1.0, section 2). */
function identifier(value: unknown, max: number): string {
  if (typeof value !== 'string' || value.length > max || !/^[!-~]+( +[!-~]+)*$/.test(value)) {
    throw new ProviderRefusal('subject')
  }
  return value
}

/** The first claim that names somebody. Some providers send an address as the user name. */
function nameOf({ name, given_name: given, family_name: family, ...more }: Claims) {
  const parts = [given, family].map((part) => readable(part) ?? '').join(' ')
  return [name, parts, more.preferred_username, more.nickname]
    .map(readable)
    .find((each) => each !== undefined && normalizeEmail(each) === undefined)
}

/** A name is only a suggestion, so invalid characters are removed. */
function readable(value: unknown) {
  if (typeof value !== 'string') return undefined
  const name = value
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/gu, '')
    .trim()
  return isBlank(name) ? undefined : Array.from(name).slice(0, nameLength.max).join('').trim()
}

function addressOf(provider: Provider, claims: Claims): Address | undefined {
  const { email } = claims
  const emailNormalized = typeof email === 'string' ? normalizeEmail(email) : undefined
  if (typeof email !== 'string' || emailNormalized === undefined) return undefined
  const trust = trustIn(provider, claims, domainOf(emailNormalized))
  return trust && { email, emailNormalized, trust }
}

const ofGoogle = ['gmail.com', 'googlemail.com']
const ofApple = ['icloud.com', 'me.com', 'mac.com', 'privaterelay.appleid.com']

/** Undefined when the address counts as missing. A missing claim is not false. */
function trustIn(provider: Provider, claims: Claims, domain: string): Address['trust'] | undefined {
  const { xms_edov: edov, hd } = claims
  const verified = readBoolean(claims.email_verified)
  switch (provider.kind) {
    case 'google':
      if (!verified) return undefined
      return ofGoogle.includes(domain) || hd === domain ? 'authoritative' : 'claimed'
    case 'microsoft':
      // A tenant can write any address into its directory. Entra writes true as 1 as well.
      if (edov === 1 || readBoolean(edov)) return 'authoritative'
      if (edov !== undefined || verified === false) return undefined
      return provider.domains.includes(domain) ? 'authoritative' : undefined
    case 'apple':
      if (!verified) return undefined
      return ofApple.includes(domain) ? 'authoritative' : 'claimed'
    case 'github':
      // An account keeps an address that its owner has lost since.
      return verified ? 'claimed' : undefined
    case 'oidc':
      return trustByChoice(provider, verified, domain)
  }
}

function trustByChoice(
  { trustsEmail, domains }: Provider,
  verified: boolean | undefined,
  domain: string
) {
  if (trustsEmail === 'domains' && verified !== false && domains.includes(domain)) {
    return 'authoritative'
  }
  if (!verified) return undefined
  return trustsEmail === 'claim' ? 'authoritative' : 'claimed'
}

/** Nothing counts unless the configuration names it: anybody can run a provider. */
function hasTwoFactors({ assurance }: Provider, { amr, acr }: Claims) {
  const methods = Array.isArray(amr) ? (amr as unknown[]) : []
  return (
    assurance.amr.some((each) => methods.includes(each)) ||
    (typeof acr === 'string' && assurance.acr.includes(acr))
  )
}

/**
 * The roles that the configuration maps the values of the claim to. Without the claim there are
 * none, except where the provider says that it left the claim out because there are too many.
 */
function rolesOf({ roles }: Provider, claims: Claims) {
  if (!roles) return undefined
  const value = claimAt(claims, roles.claim)
  const elsewhere = claims._claim_names
  const isElsewhere =
    typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, roles.claim)
  if (value === undefined && (isElsewhere || readBoolean(claims.hasgroups))) return undefined
  const values: unknown[] = [value].flat()
  const keys = values.flatMap((each) =>
    typeof each === 'string' && Object.hasOwn(roles.map, each) ? [roles.map[each] ?? ''] : []
  )
  return [...new Set(keys)]
}

/** A claim of this name, or else within others: `realm_access.roles` is how Keycloak has roles. */
export const claimAt = (claims: Claims, name: string): unknown =>
  Object.hasOwn(claims, name)
    ? claims[name]
    : name.split('.').reduce<unknown>((value, part) => memberOf(value, part), claims)

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/**
 * Reads a boolean that others wrote, some of them as text: `true` and `"true"` are true. Everything
 * else that is present is false, and what is missing stays undefined.
 */
export const readBoolean = (value: unknown): boolean | undefined =>
  value === undefined ? undefined : value === true || value === 'true'
