import { nameLength } from '../../db/schema/users.ts'
import { invalidFields } from './errors.ts'

/** A name as it is stored: NFC, without blanks around it. Throws a refusal that names the field `name`. */
export function cleanName (text: string): string {
  const name = text.normalize('NFC').trim()
  const length = [...name].length
  if (length < nameLength.min) throw invalidFields({ pointer: '/name', code: 'too-short', message: 'Must not be blank' })
  if (length > nameLength.max) throw invalidFields({ pointer: '/name', code: 'too-long', message: `At most ${nameLength.max} characters` })
  return name
}
