import { closed } from './primitives.ts'
import { displayName, field } from './users.ts'

export const Theme = closed(
  { theme: field.theme },
  { $id: 'Theme', description: 'The theme of the app' }
)

export const Name = closed(
  { name: displayName },
  { $id: 'Name', description: 'The display name of the user' }
)
export const NameChange = closed(
  { name: field.name },
  { $id: 'NameChange', description: 'A new display name' }
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
  {
    $id: 'AccountDeletion',
    description: 'The current password, to confirm the deletion of the account'
  }
)

export const NewPassword = closed(
  {
    password: field.newPassword
  },
  { $id: 'NewPassword', description: 'A new password for a user' }
)
