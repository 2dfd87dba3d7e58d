import { descriptionLength } from '../../../db/schema/permissions.ts'
import { nameLength } from '../../../db/schema/users.ts'
import { invalidFields } from '../errors.ts'
import type { FieldError } from '../errors.ts'

/** A name as it is stored: NFC, without blanks around it. Throws a refusal that names the field `name`. */
export function cleanName(text: string): string {
  const cleaned = cleanText(text, nameLength.max, '/name')
  if (typeof cleaned !== 'string') throw invalidFields(cleaned)
  return cleaned
}

/** A description as it is stored: NFC. Throws a refusal that names the field `description`. */
export function cleanDescription(text: string): string {
  const cleaned = text.normalize('NFC')
  if (countCharacters(cleaned) > descriptionLength.max) {
    throw invalidFields(tooLong('/description', descriptionLength.max))
  }
  return cleaned
}

/** The text as it is stored, or what is wrong with it. `max` counts code points, as a person counts letters. */
export function cleanText(text: string, max: number, pointer: string): string | FieldError {
  const cleaned = text.normalize('NFC').trim()
  if (cleaned === '') return { pointer, code: 'too-short', message: 'Must not be blank' }
  if (countCharacters(cleaned) > max) return tooLong(pointer, max)
  return cleaned
}

/** Code points: some characters become several of them by normalization. */
const countCharacters = (text: string) => [...text].length
const tooLong = (pointer: string, max: number): FieldError => ({
  pointer,
  code: 'too-long',
  message: `At most ${max} characters`
})
