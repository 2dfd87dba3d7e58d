import { Resolver } from 'node:dns/promises'
import { loopback } from '../networks.ts'
import { normalizeEmail } from '../users/emails.ts'

/** The server that sends mail for the portal: MAIL_URL. */
export interface MailServer {
  host: string
  port: number
  /**
   * How the connection is encrypted. `optional` takes what the server offers, and verifies nothing.
   */
  tls: 'from the start' | 'STARTTLS' | 'optional'
  login?: { user: string; pass: string }
}

/** MAIL_FROM. */
export interface Sender {
  name: string
  address: string
}

export function mailUrlProblem(text: string): string | undefined {
  return typeof readMailUrl(text) === 'string' ? (readMailUrl(text) as string) : undefined
}

/** Reads a MAIL_URL in which mailUrlProblem finds nothing. */
export function parseMailUrl(text: string): MailServer {
  const server = readMailUrl(text)
  if (typeof server === 'string') throw new Error(`MAIL_URL ${server}`)
  return server
}

function readMailUrl(text: string): MailServer | string {
  const form = 'must be smtp://user:password@host:587 or smtps://user:password@host:465'
  const url = URL.canParse(text) ? new URL(text) : undefined
  const secure = url?.protocol === 'smtps:'
  if (!url || (!secure && url.protocol !== 'smtp:')) return form
  if (/[?#]/.test(text) || !/^\/?$/.test(url.pathname)) {
    return `${form}, without a path or options; percent-encode special characters of the password`
  }
  // The platform checks and normalizes the host for known schemes only.
  const web = URL.canParse(`http://${url.hostname}`) ? new URL(`http://${url.hostname}`) : undefined
  if (!web || url.hostname === '' || url.port === '0') return form
  const login = [url.username, url.password].map(decode)
  const [user, pass] = login
  if (user === undefined || pass === undefined) return 'has a % that is not part of an encoding'
  if ((user === '') !== (pass === '')) return 'must have a user and a password, or neither'
  const tls = secure ? 'from the start' : loopback.test(web.hostname) ? 'optional' : 'STARTTLS'
  return {
    host: web.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    tls,
    ...(user !== '' && { login: { user, pass } })
  }
}

export const mailFromProblem = (text: string): string | undefined =>
  readMailFrom(text) === undefined
    ? 'must be an address like Portal <portal@example.com> or portal@example.com'
    : undefined

/** Reads a MAIL_FROM in which mailFromProblem finds nothing. */
export function parseMailFrom(text: string): Sender {
  const sender = readMailFrom(text)
  if (!sender) throw new Error('MAIL_FROM is not an address')
  return sender
}

function readMailFrom(text: string): Sender | undefined {
  const open = text.indexOf('<')
  const named = open >= 0 && text.endsWith('>')
  const address = normalizeEmail(named ? text.slice(open + 1, -1) : text)
  const name = named ? text.slice(0, open).trim().replace(/^"|"$/g, '') : ''
  return address === undefined || /[\p{Cc}"<>]/u.test(name) ? undefined : { name, address }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {} // a URIError means that the encoding is invalid
}

/** Where mail for a domain goes, according to DNS. */
type MailHosts =
  | { by: 'MX' | 'address'; hosts: string[] }
  /** `refused`: the domain says that it accepts no mail (RFC 7505). */
  | { by: 'nothing' | 'refused' }
  /** With the code of the error. */
  | { by: 'unknown'; error: string }

/** Milliseconds. */
const limits = { timeout: 2000, total: 5000 }

/**
 * Looks up which hosts take mail for a domain: its MX records or, without any, its own addresses
 * (RFC 5321, 5.1). Many servers reject mail from a domain that has neither.
 */
export async function findMailHosts(
  domain: string,
  resolver = new Resolver({ timeout: limits.timeout, tries: 2 })
): Promise<MailHosts> {
  const timer = setTimeout(() => resolver.cancel(), limits.total)
  try {
    const exchanges = await orNone(resolver.resolveMx(domain))
    if (exchanges.length === 1 && exchanges[0]?.exchange === '') return { by: 'refused' }
    if (exchanges.length > 0) return { by: 'MX', hosts: exchanges.map(({ exchange }) => exchange) }
    const addresses = [
      ...(await orNone(resolver.resolve4(domain))),
      ...(await orNone(resolver.resolve6(domain)))
    ]
    return addresses.length > 0 ? { by: 'address', hosts: addresses } : { by: 'nothing' }
  } catch (error) {
    return { by: 'unknown', error: String((error as NodeJS.ErrnoException).code) }
  } finally {
    clearTimeout(timer)
  }
}

/** No records of this type, or no such domain, is an answer. */
const orNone = <T>(records: Promise<T[]>) =>
  records.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return []
    throw error
  })
