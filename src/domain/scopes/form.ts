import { scopeForm } from '../../../db/schema/scopes.ts'
import { invalidFields } from '../errors.ts'

export const isScope = (value: unknown): value is string =>
  typeof value === 'string' && scopeForm.test(value)

export const malformedScope = (pointer: string) =>
  invalidFields({
    pointer,
    code: 'malformed',
    message:
      'Must be one scope like org:42: a kind in lowercase letters, a colon, and at most 60 ' +
      'letters, digits, hyphens and underscores'
  })
