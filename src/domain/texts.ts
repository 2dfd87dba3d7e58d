import { descriptionLength } from '../../db/schema/roles.ts'
import { nameLength } from '../../db/schema/users.ts'
import { invalidFields } from './errors.ts'
import type { FieldError } from './errors.ts'

/** Normalizes a name to NFC and trims it. Throws a refusal that names the field `name`. */
export const cleanName = (text: string) => requireText(text, nameLength.max, '/name')

/** Normalizes a description to NFC. Throws a refusal that names the field `description`. */
export function cleanDescription(text: string): string {
  const cleaned = text.normalize('NFC')
  if (countCharacters(cleaned) > descriptionLength.max) {
    throw invalidFields(tooLong('/description', descriptionLength.max))
  }
  return cleaned
}

/** Like `cleanText`, but throws a refusal that names the field. */
export function requireText(text: string, max: number, pointer: string): string {
  const cleaned = cleanText(text, max, pointer)
  if (typeof cleaned !== 'string') throw invalidFields(cleaned)
  return cleaned
}

/** Normalizes and trims a text, or returns an error. `max` is in code points. */
export function cleanText(text: string, max: number, pointer: string): string | FieldError {
  const cleaned = text.normalize('NFC').trim()
  if (isBlank(cleaned)) return { pointer, code: 'too-short', message: 'Must not be blank' }
  if (countCharacters(cleaned) > max) return tooLong(pointer, max)
  return cleaned
}

/**
 * Whether a text shows nothing: it has only spaces and characters that fonts do not draw, such as
 * U+200B and the Hangul fillers. Names may have these beside letters, because some scripts join
 * letters with them.
 */
export const isBlank = (text: string) =>
  !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)

/** In NFC. Most texts are ASCII, of which a test costs less than a normalization. */
export const composed = (text: string) => (/[^ -~]/.test(text) ? text.normalize('NFC') : text)

/** Counts code points. Normalization can turn one character into several. */
const countCharacters = (text: string) => [...text].length
const tooLong = (pointer: string, max: number): FieldError => ({
  pointer,
  code: 'too-long',
  message: `At most ${max} characters`
})

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

/** For text between tags, and in attributes with quotation marks. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
