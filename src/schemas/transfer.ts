import { Type } from '@sinclair/typebox'
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
      description: 'Hash of the password: bcrypt, or one of the forms in docs/moving.md',
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
