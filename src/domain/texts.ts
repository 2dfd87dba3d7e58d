import { nameLength } from '../../db/schema/users.ts'
import { invalidFields } from './errors.ts'
import type { FieldError } from './errors.ts'

/** A name as it is stored: NFC, without blanks around it. Throws a refusal that names the field `name`. */
export function cleanName (text: string): string {
  const cleaned = cleanText(text, nameLength.max, '/name')
  if (typeof cleaned !== 'string') throw invalidFields(cleaned)
  return cleaned
}

/** The text as it is stored, or what is wrong with it. `max` counts code points, as a person counts letters. */
export function cleanText (text: string, max: number, pointer: string): string | FieldError {
  const cleaned = text.normalize('NFC').trim()
  if (cleaned === '') return { pointer, code: 'too-short', message: 'Must not be blank' }
  if ([...cleaned].length > max) return { pointer, code: 'too-long', message: `At most ${max} characters` }
  return cleaned
}
