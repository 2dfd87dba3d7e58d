import type { ReauthenticationMethod } from '../../../db/schema/second-factors.ts'
import { DomainError } from '../domain-error.ts'

export const invalidCode = () =>
  new DomainError(
    401,
    'invalid-code',
    'The code is wrong',
    'Enter the present code of your app, or a recovery code that was not used before. A code is ' +
      'accepted once.'
  )

export const loginExpired = () =>
  new DomainError(
    401,
    'login-expired',
    'The sign-in has ended',
    'It took too long, had too many wrong codes, or the account was changed. Enter your password ' +
      'again.'
  )

export const wrongCode = () =>
  new DomainError(
    403,
    'wrong-code',
    'The code is wrong',
    'Enter the present code of your app. A code is accepted once. Nothing was changed.'
  )

/**
 * @param methods with which the user can prove who they are
 * @param maxAge seconds for which a proof is recent
 */
export const reauthenticationRequired = (
  methods: readonly ReauthenticationMethod[],
  maxAge: number
) =>
  new DomainError(
    403,
    'reauthentication-required',
    'Prove again who you are',
    'This needs a recent proof of who you are. Send one of `methods` to ' +
      '/api/auth/reauthenticate, then repeat the request.',
    { reauthentication: { methods: [...methods], maxAge } }
  )

export const enrolmentTokenRequired = () =>
  new DomainError(
    403,
    'enrolment-token-required',
    'A link is needed',
    'Your roles require a second factor, and a password alone must not set up the first one. Ask ' +
      'for a link by mail or from an administrator, and send its token.'
  )

export const enrolmentLinkNotNeeded = () =>
  new DomainError(
    409,
    'enrolment-link-not-needed',
    'No link is needed',
    'A link is for the first second factor of a user whose roles require one.'
  )

export const secondFactorUnreadable = () =>
  new DomainError(
    503,
    'second-factor-unreadable',
    'Codes cannot be checked',
    'The portal cannot read the secret of your app. Use a passkey or a recovery code, or ask an ' +
      'administrator.',
    { retryAfter: 60 }
  )

export const enrolmentNotBegun = () =>
  new DomainError(
    409,
    'enrolment-not-begun',
    'No app waits for its first code',
    'Set up the app first: POST /api/user/totp.'
  )

export const noSecondFactor = () =>
  new DomainError(
    409,
    'no-second-factor',
    'There is no second factor',
    'Set up an app for codes or a passkey first.'
  )

export const lastSecondFactor = () =>
  new DomainError(
    409,
    'last-second-factor',
    'This is the last second factor',
    'Add another one first, or stop requiring a second factor for your sign-ins.'
  )

export const secondFactorRequired = () =>
  new DomainError(
    409,
    'second-factor-required',
    'Your roles require a second factor',
    'It can be replaced by another one, but not turned off.'
  )

export const unknownPasskey = () =>
  new DomainError(
    401,
    'unknown-passkey',
    'The passkey is not known',
    'It was removed from its account, or belongs to another portal. Sign in another way, and ' +
      'delete it from your device.'
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
    'Use a passkey of your account, and answer each challenge once and within five minutes. ' +
      'Nothing was changed.'
  )

export const invalidPasskey = () =>
  new DomainError(
    400,
    'invalid-passkey',
    'The passkey cannot be added',
    'The response of the device is not acceptable, or took longer than five minutes. Start again.'
  )

export const passkeyExists = () =>
  new DomainError(
    409,
    'passkey-exists',
    'The passkey is registered already',
    'Each passkey belongs to one account. Use another device, or create a new passkey.'
  )

/** @param most passkeys that a user may have */
export const tooManyPasskeys = (most: number) =>
  new DomainError(
    409,
    'too-many-passkeys',
    'There are too many passkeys',
    `An account can have ${most} passkeys. Remove one first.`
  )
