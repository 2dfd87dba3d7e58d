import { Type } from '@sinclair/typebox'
import { passwordHashForm } from '../../db/schema/users.ts'
import { QueryTime } from './activity.ts'
import { closed, ref } from './primitives.ts'
import { ProfilePatch } from './profiles.ts'
import { RoleKey } from './roles.ts'
import { field, UserStatus } from './users.ts'

/** One line of an import or export of users. */
export const TransferredUser = closed({
  email: field.email,
  name: field.name,
  emailVerified: Type.Optional(field.emailVerified),
  passwordHash: Type.Optional(
    Type.String({
      maxLength: 80,
      pattern: passwordHashForm.source,
      description: 'bcrypt hash with a cost of 4 to 15',
      examples: ['$2b$12$…']
    })
  ),
  theme: Type.Optional(field.theme),
  profile: Type.Optional(ref(ProfilePatch)),
  status: Type.Optional(UserStatus),
  roles: Type.Optional(
    Type.Array(RoleKey, {
      maxItems: 100,
      uniqueItems: true,
      description: 'Keys of roles; `user` is always granted'
    })
  ),
  createdAt: Type.Optional(QueryTime('Time of creation of the account'))
})
