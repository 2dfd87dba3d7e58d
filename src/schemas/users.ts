import { Type } from '@sinclair/typebox'
import type { StringOptions, TUnsafe } from '@sinclair/typebox'
import {
  emailLength,
  nameLength,
  passwordLength,
  profileFields,
  themes,
  userStatuses
} from '../../db/schema/users.ts'
import type { ProfileField } from '../../db/schema/users.ts'
import { pageOf } from './lists.ts'
import {
  closed,
  Id,
  integer,
  nullable,
  oneOf,
  published,
  ref,
  text,
  Timestamp
} from './primitives.ts'

const fields = Object.fromEntries(
  Object.entries(profileFields).map(([field, { maxLength, example, ...words }]) => {
    const options: StringOptions = { ...words, examples: [example] }
    return [field, nullable(text(maxLength, options))]
  })
) as Record<ProfileField, TUnsafe<string | null>>

export const Profile = closed(fields, { $id: 'Profile', description: 'Profile of a user' })

/** These limits only bound the work; the domain validates URLs, language tags and time zones. */
export const ProfilePatch = closed(Type.Partial(Type.Object(fields)).properties, {
  $id: 'ProfilePatch',
  minProperties: 1,
  description: 'Merge patch: omitted fields keep their value, null clears a field'
})

export const keys = (description: string, examples: string[]) =>
  Type.Array(text(80, { examples }), { maxItems: 1000, description })

export const UserStatus = oneOf(userStatuses, { description: 'Whether the user can sign in' })

export const field = {
  email: text(emailLength.max, {
    description: 'E-mail address; the domain can be international',
    examples: ['ada@example.com'],
    ...published({ minLength: emailLength.min, format: 'idn-email' })
  }),
  password: Type.String({
    maxLength: 512,
    format: 'password',
    examples: ['correct horse battery'],
    ...published({ maxLength: passwordLength.max })
  }),
  newPassword: Type.String({
    maxLength: 512,
    format: 'password',
    description:
      `${passwordLength.min} to ${passwordLength.max} characters (code points in NFC); the ` +
      'minimum can be configured to be higher, and a password that is easy to guess is rejected',
    examples: ['correct horse battery'],
    ...published({ minLength: passwordLength.min, maxLength: passwordLength.max })
  }),
  name: text(256, {
    description:
      `${nameLength.min} to ${nameLength.max} characters (code points in NFC); leading and ` +
      'trailing whitespace is trimmed',
    examples: ['Ada Lovelace'],
    ...published({ minLength: nameLength.min, maxLength: nameLength.max })
  }),
  theme: oneOf(themes, { description: 'Theme of the app' }),
  emailVerified: Type.Boolean({
    description: 'Whether the e-mail address counts as confirmed; false by default'
  })
}

export const restore = Type.Optional(
  Type.Boolean({
    description: 'Whether to restore the account if the user has asked for its deletion'
  })
)

export const currentPassword = Type.Optional({
  ...field.password,
  description: 'Not required after a recent authentication'
})

const displayName = text(nameLength.max, {
  minLength: nameLength.min,
  examples: ['Ada Lovelace']
})

const who = {
  id: Id('User id; never changes'),
  email: text(emailLength.max, {
    description: 'E-mail address as the user entered it',
    examples: ['ada@example.com']
  }),
  emailVerified: Type.Boolean({ description: 'Whether the user has confirmed the address' }),
  name: displayName,
  theme: field.theme
}

/** The user to whom an item of a list belongs. */
export const userLabel = (description: string) =>
  nullable(closed({ id: who.id, name: who.name, email: who.email }, { description }))

const roles = keys("Keys of the user's roles", ['user'])
export const secondFactor = Type.Boolean({
  description: 'Whether signing in with the password requires a second factor'
})
const times = {
  createdAt: Timestamp('Time of creation'),
  updatedAt: Timestamp('Time of the last change')
}

export const CurrentUser = closed(
  {
    ...who,
    status: UserStatus,
    roles: keys("Keys of the user's roles that count in this session", ['user']),
    suspendedRoles: keys(
      "Keys of the user's roles that do not count in this session, because they require a " +
        'second factor',
      []
    ),
    permissions: keys('Keys of all permissions of `roles`', ['profile:read']),
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
    secondFactor,
    ...times,
    lastLoginAt: nullable(Timestamp('Time of the last sign-in')),
    deleteAt: nullable(
      Timestamp('When the account is deleted, as its user has asked; the user can still restore it')
    )
  },
  { $id: 'User', description: 'A user as shown to administrators' }
)

export const UserPage = pageOf('UserPage', User, 'A page of users')

export const Registration = closed(
  {
    email: field.email,
    password: field.newPassword,
    name: field.name
  },
  { $id: 'Registration', description: 'A new account' }
)

export const Credentials = closed(
  { email: field.email, password: field.password, restore },
  {
    $id: 'Credentials',
    description: 'Credentials of a user',
    examples: [{ email: 'ada@example.com', password: 'correct horse battery' }]
  }
)

export const NewUser = closed(
  {
    email: field.email,
    name: field.name,
    password: Type.Optional({
      ...field.newPassword,
      description:
        `${field.newPassword.description}. Without a password the user cannot sign in until one ` +
        `is set`
    }),
    theme: Type.Optional(field.theme),
    profile: Type.Optional(ref(ProfilePatch)),
    status: Type.Optional(UserStatus),
    emailVerified: Type.Optional(field.emailVerified),
    link: Type.Optional(
      oneOf(['invitation'], {
        description: 'Sends the user a link with which they choose a password'
      })
    )
  },
  {
    $id: 'NewUser',
    description: 'A new account with the role `user`',
    examples: [
      { email: 'grace@example.com', name: 'Grace Hopper', password: 'correct horse battery' }
    ]
  }
)

export const UserPatch = closed(
  {
    email: Type.Optional(field.email),
    name: Type.Optional(field.name),
    theme: Type.Optional(field.theme),
    profile: Type.Optional(ref(ProfilePatch)),
    status: Type.Optional(UserStatus)
  },
  {
    $id: 'UserPatch',
    examples: [{ name: 'Grace Hopper', theme: 'dark' }],
    minProperties: 1,
    description:
      'Merge patch: omitted fields keep their value. Deactivating the account ends all of its ' +
      'sessions'
  }
)

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

export const UserLink = closed(
  {
    kind: oneOf(['invitation', 'recovery', 'enrolment', 'confirm'], {
      description:
        'For the first password, for a new one, for the first second factor where a role ' +
        'requires one, or to confirm the address'
    })
  },
  { $id: 'UserLink', description: 'A link that is mailed to a user' }
)

export const SeenUser = closed(
  {
    assurance: integer(1, 2, "Number of factors proved in the user's session"),
    user: Type.Union([ref(CurrentUser), Type.Null()], {
      description: '`user` of `GET /api/auth/me` in such a session; null for a deactivated user'
    }),
    permissions: Type.Array(
      closed({
        key: text(80, { description: 'Key of the permission', examples: ['profile:read'] }),
        grantedBy: keys('Keys of the roles that give it in this session', ['user']),
        withheldBy: keys('Keys of the roles that give it only with a second factor', [])
      }),
      { maxItems: 10_000, description: "The permissions of all of the user's roles" }
    )
  },
  { $id: 'SeenUser', description: 'What a user gets in a session' }
)
