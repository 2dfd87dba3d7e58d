import { Type } from '@sinclair/typebox'
import { segmentLimits } from '../../db/schema/flags.ts'
import {
  issuerLength,
  mostProviderAccounts,
  subjectLength
} from '../../db/schema/provider-accounts.ts'
import { scopeLimits } from '../../db/schema/scopes.ts'
import type { SettingsDocument } from '../../db/schema/users.ts'
import { QueryTime } from './activity.ts'
import { NewFlag } from './flags.ts'
import { closed, ref, text } from './primitives.ts'
import { RoleKey } from './roles.ts'
import { ScopeKey } from './scopes.ts'
import { NewSegment } from './segments.ts'
import { field, ProfilePatch, UserStatus } from './users.ts'

/** The form in ID tokens: OpenID Connect Core 1.0, section 2. */
const printable = { pattern: '^[!-~]+( +[!-~]+)*$' }

const document = (description: string) =>
  Type.Unsafe<SettingsDocument>({ type: 'object', additionalProperties: true, description })

/** One line of an import or export of users. */
export const TransferredUser = closed({
  id: Type.Optional(
    text(255, {
      minLength: 1,
      description:
        'The id in the other system. A UUID is kept, except Nil and Max; any other id is replaced'
    })
  ),
  email: field.email,
  name: field.name,
  emailVerified: Type.Optional(field.emailVerified),
  passwordHash: Type.Optional(
    Type.String({
      description: 'Hash of the password: bcrypt, or one of the forms in docs/do/moving.md',
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
  scopes: Type.Optional(
    Type.Array(closed({ scope: ScopeKey, roles: Type.Array(RoleKey, { maxItems: 100 }) }), {
      maxItems: scopeLimits.ofUser,
      description: 'Scopes, with the keys of the roles that the user has in each'
    })
  ),
  createdAt: Type.Optional(QueryTime('Time of creation of the account')),
  providers: Type.Optional(
    Type.Array(
      closed({
        issuer: Type.String({ maxLength: issuerLength.max, ...printable }),
        subject: Type.String({ maxLength: subjectLength.max, ...printable }),
        email: Type.Optional(field.email)
      }),
      { maxItems: mostProviderAccounts, description: 'Accounts at providers' }
    )
  ),
  settings: Type.Optional(document('User settings of the app')),
  appSettings: Type.Optional(document('App settings')),
  totp: Type.Optional(
    Type.String({
      description: 'Secret of the one-time codes, in base32: SHA-1, 6 digits, 30 seconds'
    })
  )
})

/** The first member of a file. One that older builds cannot read gets a new number. */
export const flagFormat = 'portal-flags/1'

/** A file with all flags and segments of a portal. */
export const FlagFile = closed({
  format: Type.Literal(flagFormat),
  segments: Type.Optional(Type.Array(ref(NewSegment), { maxItems: segmentLimits.count })),
  flags: Type.Array(ref(NewFlag), { maxItems: 10_000 })
})
