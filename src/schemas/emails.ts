import { Type } from '@sinclair/typebox'
import { emailLength, passwordLength } from '../../db/schema/users.ts'
import { closed, nullable, oneOf, ref, text } from './primitives.ts'
import { ShownProvider } from './providers.ts'
import { currentPassword, field } from './users.ts'

const address = (description: string) =>
  text(emailLength.max, { description, examples: ['ada@example.com'] })

export const Email = closed(
  {
    email: address('E-mail address that the user signs in with'),
    verified: Type.Boolean({ description: 'Whether the user has confirmed it' }),
    pending: nullable(address('Address that the user asked for and has not confirmed yet'))
  },
  { $id: 'Email', description: "The current user's e-mail address" }
)

export const EmailChange = closed(
  { email: field.email, currentPassword },
  {
    $id: 'EmailChange',
    description: 'A new e-mail address to sign in with',
    examples: [{ email: 'lovelace@example.com', currentPassword: 'correct horse battery' }]
  }
)

/** Longer than any token, so that every wrong one gets the same response. */
const token = text(512, {
  description: 'The token of the link in the mail',
  examples: ['Q2hhbmNlIGlzIGFsbCB0aGF0IGEgdG9rZW4gbmVlZHM']
})

export const enrolmentToken = Type.Optional({
  ...token,
  description:
    'Token of the enrolment link. Required for the first second factor of a user whose roles ' +
    'require one'
})

export const LinkToken = closed({ token }, { $id: 'LinkToken', description: 'A one-time token' })

export const Confirmation = closed(
  { token, password: field.password },
  { $id: 'Confirmation', description: 'A one-time token and the password of the account' }
)

export const Recovery = closed(
  { email: field.email },
  { $id: 'Recovery', description: 'The e-mail address of an account' }
)

export const PasswordReset = closed(
  { token, newPassword: field.newPassword },
  { $id: 'PasswordReset', description: 'A one-time token and a new password' }
)

export const ConfirmationSent = closed(
  { status: oneOf(['confirmation-sent'] as const, { description: 'The result' }) },
  { $id: 'ConfirmationSent', description: 'A mail was sent to the address' }
)

export const Accepted = closed(
  {},
  { $id: 'Accepted', description: 'An empty object: the request was accepted' }
)

export const SignInOptions = closed(
  {
    registration: oneOf(['open', 'closed'] as const, {
      description: 'Whether visitors can register'
    }),
    emailVerification: oneOf(['off', 'optional', 'required'] as const, {
      description: 'Whether users confirm their e-mail address'
    }),
    providers: Type.Array(ref(ShownProvider), {
      maxItems: 50,
      description: 'Providers that everybody can sign in with'
    }),
    providersByDomain: Type.Boolean({
      description:
        'Whether addresses of some domains have a provider of their own: then ask for the ' +
        'address first, and `findProvider` returns it'
    }),
    passwordReset: Type.Boolean({ description: 'Whether users can ask for a link by mail' }),
    passwordMinLength: Type.Integer({
      format: 'int32',
      minimum: passwordLength.min,
      maximum: 64,
      description: 'Minimum length of a new password',
      examples: [passwordLength.min]
    }),
    deletionGraceDays: Type.Integer({
      format: 'int32',
      minimum: 0,
      maximum: 90,
      description: 'Days in which users can restore an account that they delete; 0: not at all'
    }),
    passkeys: Type.Boolean({ description: 'Whether users can sign in with a passkey' }),
    accountUrl: nullable(
      text(2048, {
        description: 'URL below which links in mail find their pages',
        examples: ['https://app.example.com/account']
      })
    )
  },
  { $id: 'SignInOptions', description: 'The settings from which an app renders its sign-in pages' }
)
