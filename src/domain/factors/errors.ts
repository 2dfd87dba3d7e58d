import type { ReauthenticationMethod } from '../../../db/schema/second-factors.ts'
import { DomainError } from '../domain-error.ts'

export const invalidCode = () =>
  new DomainError(
    401,
    'invalid-code',
    'The code is wrong',
    'Enter the current code from your authenticator app, or an unused recovery code. Each code ' +
      'is accepted once.'
  )

export const loginExpired = () =>
  new DomainError(
    401,
    'login-expired',
    'The sign-in has expired',
    'It took longer than five minutes, there were too many wrong codes, or the account was ' +
      'changed. Sign in again.'
  )

export const wrongCode = () =>
  new DomainError(
    403,
    'wrong-code',
    'The code is wrong',
    'Enter the current code from your authenticator app. Each code is accepted once. Nothing was ' +
      'changed.'
  )

/**
 * @param methods with which the user can authenticate again
 * @param maxAge seconds for which an authentication is recent
 */
export const reauthenticationRequired = (
  methods: readonly ReauthenticationMethod[],
  maxAge: number
) =>
  new DomainError(
    403,
    'reauthentication-required',
    'Authenticate again',
    'This requires a recent authentication. Send the result of one of `methods` to ' +
      '/api/auth/reauthenticate, then repeat the request.',
    { reauthentication: { methods: [...methods], maxAge } }
  )

export const enrolmentTokenRequired = () =>
  new DomainError(
    403,
    'enrolment-token-required',
    'An enrolment link is required',
    'Your roles require a second factor, and a password alone is not enough to set up the first ' +
      'one. Request a link by mail or from an administrator, and send its token.'
  )

export const enrolmentLinkNotNeeded = () =>
  new DomainError(
    409,
    'enrolment-link-not-needed',
    'No enrolment link is required',
    'A link is only for the first second factor of a user whose roles require one.'
  )

export const secondFactorUnreadable = () =>
  new DomainError(
    503,
    'second-factor-unreadable',
    'Codes cannot be checked',
    'The portal cannot read the secret of your authenticator app. Use a passkey or a recovery ' +
      'code, or ask an administrator.',
    { retryAfter: 60 }
  )

export const enrolmentNotBegun = () =>
  new DomainError(
    409,
    'enrolment-not-begun',
    'There is no app to confirm',
    'Begin to set one up with POST /api/user/totp.'
  )

export const noSecondFactor = () =>
  new DomainError(
    409,
    'no-second-factor',
    'There is no second factor',
    'Set up an authenticator app or a passkey first.'
  )

export const lastSecondFactor = () =>
  new DomainError(
    409,
    'last-second-factor',
    'This is the last second factor',
    'Add another one first. If none of your roles requires a second factor, you can also turn ' +
      'it off.'
  )

export const secondFactorRequired = () =>
  new DomainError(
    409,
    'second-factor-required',
    'Your roles require a second factor',
    'You can replace it with another one, but not turn it off.'
  )

export const unknownPasskey = () =>
  new DomainError(
    401,
    'unknown-passkey',
    'The passkey is unknown',
    'It was removed from its account, or belongs to another portal. Sign in another way, and ' +
      'delete the passkey from your device.'
  )

export const passkeyRefused = () =>
  new DomainError(
    401,
    'passkey-refused',
    'The passkey was not accepted',
    'Try again. If that does not help, sign in another way.'
  )

export const wrongPasskey = () =>
  new DomainError(
    403,
    'wrong-passkey',
    'The passkey was not accepted',
    'Use a passkey of your account, within five minutes. Nothing was changed.'
  )

export const invalidPasskey = () =>
  new DomainError(
    400,
    'invalid-passkey',
    'The passkey cannot be added',
    'The response of the device is not valid, or took longer than five minutes. Start again.'
  )

export const passkeyExists = () =>
  new DomainError(
    409,
    'passkey-exists',
    'The passkey belongs to an account already',
    'Use another device, or create a new passkey.'
  )

/** @param most passkeys that a user may have */
export const tooManyPasskeys = (most: number) =>
  new DomainError(
    409,
    'too-many-passkeys',
    'There are too many passkeys',
    `An account can have ${most} passkeys. Remove one first.`
  )
