import { emailLength, nameLength, themes } from '../../db/schema/users.ts'
import { closed, oneOf, text } from './primitives.ts'
import { field } from './users.ts'

export const Theme = closed(
  { theme: oneOf(themes) },
  { $id: 'Theme', description: 'The theme of the app' }
)

export const Name = closed(
  { name: text(nameLength.max, { minLength: nameLength.min, examples: ['Ada Lovelace'] }) },
  { $id: 'Name', description: 'What the user is called' }
)
export const NameChange = closed(
  { name: field.name },
  { $id: 'NameChange', description: 'What the user wants to be called' }
)

export const Email = closed(
  { email: text(emailLength.max, { examples: ['ada@example.com'] }) },
  { $id: 'Email', description: 'The address the user signs in with' }
)
export const EmailChange = closed(
  {
    email: field.email,
    currentPassword: field.password
  },
  { $id: 'EmailChange', description: 'A new address to sign in with' }
)

export const PasswordChange = closed(
  {
    currentPassword: field.password,
    newPassword: field.newPassword
  },
  { $id: 'PasswordChange', description: 'A new password' }
)

export const AccountDeletion = closed(
  {
    currentPassword: field.password
  },
  { $id: 'AccountDeletion', description: 'The password, so that nobody else ends the account' }
)

export const NewPassword = closed(
  {
    password: field.newPassword
  },
  { $id: 'NewPassword', description: 'A new password for a user' }
)
