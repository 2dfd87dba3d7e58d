import { Type } from '@sinclair/typebox'
import { closed, text } from './primitives.ts'
import { field } from './users.ts'

export const code = Type.String({
  minLength: 6,
  maxLength: 6,
  pattern: '^[0-9]{6}$',
  description: 'One-time code of an app: six digits, as text',
  examples: ['492039']
})

/** Longer than any code, so that every wrong one gets the same answer. */
const recoveryCode = text(64, {
  description: 'Recovery code; case, spaces and hyphens do not matter',
  examples: ['7GQ4-M2KD-0XVT-9RHC-3WNB-5JPA']
})

export const LoginVerification = closed(
  { code: Type.Optional(code), recoveryCode: Type.Optional(recoveryCode) },
  {
    $id: 'LoginVerification',
    minProperties: 1,
    maxProperties: 1,
    description: 'The second factor of a sign-in: `code` or `recoveryCode`'
  }
)

export const Reauthentication = closed(
  { password: Type.Optional(field.password), code: Type.Optional(code) },
  {
    $id: 'Reauthentication',
    minProperties: 1,
    maxProperties: 1,
    description: 'A proof of who the user is: `password` or `code`'
  }
)
