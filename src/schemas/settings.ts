import { Type } from '@sinclair/typebox'
import { closed, Timestamp } from './primitives.ts'
import { currentPassword, displayName, field } from './users.ts'

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
    currentPassword: Type.Optional({
      ...field.password,
      description: 'Required if the account has a password'
    }),
    newPassword: field.newPassword
  },
  {
    $id: 'PasswordChange',
    description: 'A new password',
    examples: [{ currentPassword: 'correct horse battery', newPassword: 'another horse battery' }]
  }
)

export const AccountDeletion = closed(
  { currentPassword },
  {
    $id: 'AccountDeletion',
    examples: [{}],
    description: 'The current password, unless the user has authenticated recently'
  }
)

export const PlannedDeletion = closed(
  { deleteAt: Timestamp('When the account is deleted, unless it is restored before') },
  { $id: 'PlannedDeletion', description: 'When the account is deleted' }
)

export const NewPassword = closed(
  { password: field.newPassword },
  { $id: 'NewPassword', description: 'A new password for a user' }
)
