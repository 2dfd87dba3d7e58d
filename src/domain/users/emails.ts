import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { and, gt, inArray, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { tokens } from '../../../db/schema/tokens.ts'
import { emailLength } from '../../../db/schema/users.ts'
import { invalidFields } from '../errors.ts'

const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/**
 * ASCII characters that are not part of domain names. Node's conversion drops everything after `/`,
 * `?` or `#`, drops tabs and decodes `%`.
 */
const foreign = /[\0-,/:-@[-`{-\x7f]/
const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/**
 * The form in which an e-mail address is unique: lowercase ASCII, with international domains in
 * their ASCII form. Only ASCII is converted to lowercase, because Unicode case folding maps other
 * letters (the Kelvin sign) to ASCII. Undefined for an invalid address.
 */
export function normalizeEmail(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  const local = asciiLowerCase(email.slice(0, at))
  const typed = email.slice(at + 1)
  const domain = foreign.test(typed) ? '' : domainToASCII(typed)
  const labels = domain.split('.')
  const valid =
    at > 0 &&
    email.length <= emailLength.max &&
    local.length <= 64 &&
    localPart.test(local) &&
    domain.length <= 253 &&
    labels.length > 1 &&
    labels.every((part) => part.length <= 63 && label.test(part)) &&
    isIP(domain) === 0
  const normalized = `${local}@${domain}`
  return valid && normalized.length <= emailLength.max ? normalized : undefined
}

/** Throws a refusal that names the field `email` for an invalid address. */
export function requireEmail(email: string): string {
  const normalized = normalizeEmail(email)
  if (normalized === undefined) {
    throw invalidFields({
      pointer: '/email',
      code: 'invalid-email',
      message: 'Must be an e-mail address like ada@example.com'
    })
  }
  return normalized
}

/** The first character and the domain, by which people recognize an address that they know. */
export const maskEmail = (email: string) =>
  `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`

const asciiLowerCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * The addresses among these that are kept for an account which had them, and until when: a link can
 * restore them, so nobody else can take them.
 * @param userId the account that may take them back
 */
export async function findReserved(db: Db, emails: string[], userId?: string) {
  if (emails.length === 0) return new Map<string, Date>()
  const found = await db
    .select({
      email: tokens.reservedEmail,
      until: sql<Date>`max(${tokens.expiresAt})`.mapWith(tokens.expiresAt)
    })
    .from(tokens)
    .where(
      and(
        inArray(tokens.reservedEmail, emails),
        gt(tokens.expiresAt, sql`now()`),
        userId === undefined ? undefined : ne(tokens.userId, userId)
      )
    )
    .groupBy(tokens.reservedEmail)
  return new Map(found.map(({ email, until }) => [email ?? '', until]))
}

/**
 * The address of a mailbox: many servers deliver `ada+anything@` to `ada@`, and some ignore dots.
 */
export function mailboxOf(email: string) {
  const [local = '', domain] = email.split('@')
  const [name] = local.split('+', 1)
  return `${(name || local).replaceAll('.', '')}@${domain}`
}
