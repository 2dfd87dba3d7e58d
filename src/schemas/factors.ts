import { Type } from '@sinclair/typebox'
import { mostPasskeys, recoveryCodeCount } from '../../db/schema/second-factors.ts'
import { enrolmentToken } from './emails.ts'
import { Passkey, PasskeyAssertion } from './passkeys.ts'
import { closed, Count, nullable, ref, text, Timestamp } from './primitives.ts'
import { providerAccountList } from './providers.ts'
import { field, keys, secondFactor } from './users.ts'

const code = Type.String({
  minLength: 6,
  maxLength: 7,
  pattern: '^[0-9]{3} ?[0-9]{3}$',
  description:
    'One-time code from the authenticator app: six digits, as text. Apps show a space in the ' +
    'middle, which may be sent',
  examples: ['492039']
})

/** Longer than any code, so that every wrong one gets the same response. */
const recoveryCode = text(64, {
  description: 'Recovery code; case, spaces and hyphens do not matter',
  examples: ['7GQ4-M2KD-0XVT-9RHC-3WNB-5JPA']
})

export const LoginVerification = closed(
  { code: Type.Optional(code), recoveryCode: Type.Optional(recoveryCode) },
  {
    $id: 'LoginVerification',
    examples: [{ code: '492039' }],
    minProperties: 1,
    maxProperties: 1,
    description: 'The second factor of a sign-in: either `code` or `recoveryCode`'
  }
)

export const Reauthentication = closed(
  {
    password: Type.Optional(field.password),
    code: Type.Optional(code),
    credential: Type.Optional(ref(PasskeyAssertion))
  },
  {
    $id: 'Reauthentication',
    examples: [{ password: 'correct horse battery' }],
    minProperties: 1,
    maxProperties: 1,
    description: 'Exactly one of `password`, `code` and `credential`'
  }
)

export const TotpEnrolment = closed(
  {
    secret: Type.String({
      maxLength: 32,
      pattern: '^[A-Z2-7]{32}$',
      description: 'The secret in base32, to type into the app',
      examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP']
    }),
    uri: Type.String({
      maxLength: 4000,
      format: 'uri',
      description: 'The secret as an `otpauth://` link, for an app on the same device',
      examples: [
        'otpauth://totp/portal:ada%40example.com?issuer=portal&' +
          'secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30'
      ]
    }),
    qr: Type.String({
      maxLength: 200_000,
      pattern: '^<svg .+</svg>$',
      description: 'The link as a QR code, in SVG without styles or scripts'
    })
  },
  { $id: 'TotpEnrolment', description: 'The secret of an authenticator app, which is shown once' }
)

export const TotpConfirmation = closed(
  { code, token: enrolmentToken },
  { $id: 'TotpConfirmation', description: 'The first code from an authenticator app' }
)

export const RecoveryCodes = closed(
  {
    recoveryCodes: Type.Array(
      Type.String({
        maxLength: 29,
        pattern: '^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){5}$',
        examples: ['7GQ4-M2KD-0XVT-9RHC-3WNB-5JPA']
      }),
      { maxItems: recoveryCodeCount, description: 'Recovery codes; each can be used once' }
    )
  },
  { $id: 'RecoveryCodes', description: 'New recovery codes, which are shown once' }
)

export const SecondFactorSetting = closed(
  {
    required: Type.Boolean({
      description: 'Whether signing in with the password requires a second factor'
    })
  },
  {
    $id: 'SecondFactorSetting',
    examples: [{ required: false }],
    description: 'Whether signing in with the password requires a second factor'
  }
)

export const Security = closed(
  {
    hasPassword: Type.Boolean({ description: 'Whether the user can sign in with a password' }),
    emailVerified: Type.Boolean({ description: 'Whether the e-mail address is confirmed' }),
    secondFactor: Type.Boolean({
      description: 'Whether signing in with the password requires a second factor'
    }),
    totp: nullable(
      closed(
        { since: Timestamp('Time at which it was set up') },
        { description: 'The authenticator app' }
      )
    ),
    passkeys: Count('Number of passkeys'),
    recoveryCodesLeft: Count('Number of unused recovery codes'),
    requiredByRoles: keys("Keys of the user's roles that require a second factor", ['admin'])
  },
  { $id: 'Security', description: 'How the current user signs in' }
)

const { credentialId, ...shownOfPasskey } = Passkey.properties
const lastUsedAt = (description: string) => nullable(Timestamp(description))

export const UserFactors = closed(
  {
    secondFactor,
    requiredByRoles: keys("Keys of the user's roles that require a second factor", ['admin']),
    totp: nullable(
      closed(
        {
          createdAt: Timestamp('Time at which it was set up'),
          lastUsedAt: lastUsedAt('Time of the last code, to within a minute')
        },
        { description: 'The authenticator app' }
      )
    ),
    passkeys: Type.Array(closed(shownOfPasskey), {
      maxItems: mostPasskeys,
      description: 'Passkeys, oldest first'
    }),
    providers: providerAccountList,
    recoveryCodes: nullable(
      closed(
        {
          left: Count('Number of unused recovery codes'),
          createdAt: Timestamp('Time at which they were created'),
          lastUsedAt: lastUsedAt('Time at which one was used')
        },
        { description: 'The recovery codes' }
      )
    )
  },
  {
    $id: 'UserFactors',
    description: 'The second factors and linked accounts of a user, as shown to administrators'
  }
)
