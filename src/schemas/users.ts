import { Type } from '@sinclair/typebox'
import { emailLength, nameLength, themes, userStatuses } from '../../db/schema/users.ts'
import { Id, oneOf, plainText, Timestamp } from './primitives.ts'

const keys = (description: string, examples: string[]) =>
  Type.Array(Type.String({ maxLength: 80, examples }), { maxItems: 1000, description })

export const CurrentUser = Type.Object({
  id: Id('Never changes and is no secret'),
  email: Type.String({ maxLength: emailLength.max, description: 'As its owner typed it', examples: ['ada@example.com'] }),
  name: Type.String({ minLength: nameLength.min, maxLength: nameLength.max, examples: ['Ada Lovelace'] }),
  theme: oneOf(themes),
  status: oneOf(userStatuses),
  roles: keys('Keys of the user\'s roles', ['user']),
  permissions: keys('Keys of everything the user\'s roles permit', ['profile:read']),
  createdAt: Timestamp('When the account was made'),
  updatedAt: Timestamp('When the account was last changed')
}, { $id: 'CurrentUser', additionalProperties: false, description: 'The signed-in user' })

/** Bounds the work only; what an address, a name and a password may be is judged, and explained, by the domain. */
const field = {
  email: Type.String({ maxLength: emailLength.max, description: 'E-mail address', examples: ['ada@example.com'] }),
  password: Type.String({ maxLength: 512, format: 'password', examples: ['correct horse battery'] }),
  name: Type.String({ minLength: 1, maxLength: 256, pattern: plainText, description: '1 to 80 characters, blanks around it not counted', examples: ['Ada Lovelace'] })
}

export const Registration = Type.Object({
  email: field.email,
  password: { ...field.password, description: '8 to 128 characters (the portal may be set to ask for more than 8)' },
  name: field.name
}, { $id: 'Registration', additionalProperties: false, description: 'A new account' })

export const Credentials = Type.Object({
  email: field.email,
  password: field.password
}, { $id: 'Credentials', additionalProperties: false, description: 'What signs a user in' })
