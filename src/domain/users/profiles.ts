import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { profileFieldNames, profileFields, users } from '../../../db/schema/users.ts'
import type { ProfileField } from '../../../db/schema/users.ts'
import { DomainError, invalidFields } from '../errors.ts'
import type { FieldError } from '../errors.ts'
import { cleanText } from '../texts.ts'
import { profile } from './users.ts'

/** A merge patch (RFC 7396): omitted fields keep their value, null clears a field. */
export type ProfileChanges = Partial<Record<ProfileField, string | null>>

type Clean = (text: string, pointer: string) => string | FieldError

const short =
  (field: ProfileField): Clean =>
  (text, pointer) =>
    cleanText(text, profileFields[field].maxLength, pointer)
const cleaners: Record<ProfileField, Clean> = {
  bio: short('bio'),
  avatarUrl: cleanUrl,
  website: cleanUrl,
  location: short('location'),
  pronouns: short('pronouns'),
  locale: cleanLocale,
  timeZone: cleanTimeZone
}

/**
 * Normalizes changes for storage. Throws a refusal that names every invalid field, under the
 * pointer `base`.
 */
export function cleanProfile(changes: ProfileChanges, base: string): ProfileChanges {
  const errors: FieldError[] = []
  const cleaned: ProfileChanges = {}
  for (const field of profileFieldNames) {
    const value = changes[field]
    if (value === undefined) continue
    const result = value === null ? null : cleaners[field](value, `${base}/${field}`)
    if (result === null || typeof result === 'string') cleaned[field] = result
    else errors.push(result)
  }
  if (errors.length > 0) throw invalidFields(...errors)
  return cleaned
}

export async function findProfile(db: Db, userId: string) {
  const [found] = await db.select(profile).from(users).where(eq(users.id, userId))
  if (!found) throw new DomainError('unauthenticated') // deleted since the request was admitted
  return found
}

/**
 * URLs are stored and shown, never fetched. Credentials in a URL are rejected, because they can
 * mislead people who click it.
 */
function cleanUrl(text: string, pointer: string): string | FieldError {
  const url = httpsUrl(text)
  return url && url.length <= profileFields.website.maxLength
    ? url
    : {
        pointer,
        code: 'invalid-url',
        message: 'Must be an https URL like https://example.com/ada'
      }
}

/** The normalized URL, or undefined for one that is not https or has credentials. */
export function httpsUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === 'https:' && url.username === '' && url.password === ''
  return isSafe ? url.href : undefined
}

/** BCP 47, in its canonical form: `en-us` becomes `en-US`. */
function cleanLocale(text: string, pointer: string): string | FieldError {
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(text)
    if (canonical.length <= profileFields.locale.maxLength) return canonical
  } catch {} // a RangeError means that the tag is invalid
  return {
    pointer,
    code: 'invalid-locale',
    message: 'Must be a language tag (BCP 47) like en or pt-BR'
  }
}

/**
 * A name in the IANA database, stored as entered. Newer platforms also accept offsets like +01:00,
 * which are rejected because they have no daylight saving time.
 */
function cleanTimeZone(text: string, pointer: string): string | FieldError {
  try {
    if (!/^[+-]/.test(text)) {
      new Intl.DateTimeFormat('en', { timeZone: text }).format()
      return text
    }
  } catch {}
  return {
    pointer,
    code: 'invalid-time-zone',
    message: 'Must be an IANA time zone like Europe/Berlin'
  }
}
