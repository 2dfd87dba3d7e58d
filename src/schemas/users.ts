import { Type } from '@sinclair/typebox'
import { emailLength, nameLength, themes, userStatuses } from '../../db/schema/users.ts'
import { pageOf } from './lists.ts'
import { closed, Id, nullable, oneOf, ref, text, Timestamp } from './primitives.ts'
import { Profile, ProfilePatch } from './profiles.ts'

const keys = (description: string, examples: string[]) =>
  Type.Array(text(80, { examples }), { maxItems: 1000, description })

export const UserStatus = oneOf(userStatuses, { description: 'Whether they may sign in' })

const who = {
  id: Id('Never changes and is no secret'),
  email: text(emailLength.max, {
    description: 'As its owner typed it',
    examples: ['ada@example.com']
  }),
  name: text(nameLength.max, { minLength: nameLength.min, examples: ['Ada Lovelace'] }),
  theme: oneOf(themes)
}
const roles = keys("Keys of the user's roles", ['user'])
const times = {
  createdAt: Timestamp('When the account was made'),
  updatedAt: Timestamp('When the account was last changed')
}

export const CurrentUser = closed(
  {
    ...who,
    status: UserStatus,
    roles,
    permissions: keys("Keys of everything the user's roles permit", ['profile:read']),
    ...times
  },
  { $id: 'CurrentUser', description: 'The signed-in user' }
)

export const User = closed(
  {
    ...who,
    profile: ref(Profile),
    status: UserStatus,
    roles,
    ...times,
    lastLoginAt: nullable(Timestamp('When they last signed in'))
  },
  { $id: 'User', description: 'A user, as administrators see them' }
)

export const UserPage = pageOf('UserPage', User, 'A page of users')

/** Bounds the work only; what an address, a name and a password may be is judged, and explained, by the domain. */
export const field = {
  email: text(emailLength.max, { description: 'E-mail address', examples: ['ada@example.com'] }),
  password: Type.String({
    maxLength: 512,
    format: 'password',
    examples: ['correct horse battery']
  }),
  newPassword: Type.String({
    maxLength: 512,
    format: 'password',
    description: '8 to 128 characters (the portal may be set to ask for more than 8)',
    examples: ['correct horse battery']
  }),
  // Bounds the work only: an empty name is rejected by the domain, together with what it finds in the other fields.
  name: text(256, {
    description: '1 to 80 characters, not counting spaces around it',
    examples: ['Ada Lovelace']
  })
}

export const Registration = closed(
  {
    email: field.email,
    password: field.newPassword,
    name: field.name
  },
  { $id: 'Registration', description: 'A new account' }
)

export const Credentials = closed(
  {
    email: field.email,
    password: field.password
  },
  { $id: 'Credentials', description: 'What signs a user in' }
)

export const NewUser = closed(
  {
    email: field.email,
    name: field.name,
    password: Type.Optional({
      ...field.newPassword,
      description: `${field.newPassword.description}; without one nobody signs in until one is set`
    }),
    theme: Type.Optional(oneOf(themes)),
    profile: Type.Optional(ref(ProfilePatch)),
    status: Type.Optional(UserStatus)
  },
  { $id: 'NewUser', description: 'A new account with the role `user`' }
)

export const UserPatch = closed(
  {
    email: Type.Optional(field.email),
    name: Type.Optional(field.name),
    theme: Type.Optional(oneOf(themes)),
    profile: Type.Optional(ref(ProfilePatch)),
    status: Type.Optional(UserStatus)
  },
  {
    $id: 'UserPatch',
    minProperties: 1,
    description: 'Merge patch: absent leaves. Deactivating ends all sessions'
  }
)
