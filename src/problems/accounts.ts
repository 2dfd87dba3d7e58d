import type { ProblemType } from './problem-type.ts'

/** Problems of signing in, and of an account and its second factors. */
export const accounts = {
  'invalid-token': {
    status: 400,
    title: 'The link is not valid',
    detail: 'The link was used before, has expired or is incomplete. Ask for a new one.'
  },
  'invalid-passkey': {
    status: 400,
    title: 'The passkey cannot be added',
    detail:
      'The response of the device is not valid, or took longer than five minutes. Start again.'
  },
  unauthenticated: {
    status: 401,
    title: 'Not signed in',
    detail: 'There is no session, or it has ended. Sign in and try again.'
  },
  'invalid-credentials': {
    status: 401,
    title: 'E-mail or password is wrong',
    detail: 'Check both and try again.'
  },
  'invalid-code': {
    status: 401,
    title: 'The code is wrong',
    detail:
      'Enter the current code from your authenticator app, or an unused recovery code. Each ' +
      'code is accepted once.'
  },
  'login-expired': {
    status: 401,
    title: 'The sign-in has expired',
    detail:
      'It took longer than five minutes, there were too many wrong codes, or the account was ' +
      'changed. Sign in again.'
  },
  'unknown-passkey': {
    status: 401,
    title: 'The passkey is unknown',
    detail:
      'It was removed from its account, or belongs to another portal. Sign in another way, and ' +
      'delete the passkey from your device.'
  },
  'passkey-refused': {
    status: 401,
    title: 'The passkey was not accepted',
    detail: 'Try again. If that does not help, sign in another way.'
  },
  'wrong-password': {
    status: 403,
    title: 'The current password is wrong',
    detail: 'Enter the password that you sign in with. Nothing was changed.'
  },
  'wrong-code': {
    status: 403,
    title: 'The code is wrong',
    detail:
      'Enter the current code from your authenticator app. Each code is accepted once. Nothing ' +
      'was changed.'
  },
  'wrong-passkey': {
    status: 403,
    title: 'The passkey was not accepted',
    detail: 'Use a passkey for your account, within five minutes. Nothing was changed.'
  },
  'reauthentication-required': {
    status: 403,
    title: 'Authenticate again',
    detail:
      'This requires a recent authentication. Send the result of one of `methods` to ' +
      '/api/auth/reauthenticate, then repeat the request.'
  },
  'enrolment-token-required': {
    status: 403,
    title: 'An enrolment link is required',
    detail:
      'Your roles require a second factor, and a password alone is not enough to set up the ' +
      'first one. Request a link by mail or from an administrator, and send its token.'
  },
  'mail-off': {
    status: 403,
    title: 'The portal sends no mail',
    detail: 'No mail server is configured. Ask an administrator for a link.'
  },
  'email-unverified': {
    status: 403,
    title: 'The e-mail address is not confirmed',
    detail: 'Confirm it with the link in the mail that was sent to you, then try again.'
  },
  'registration-closed': {
    status: 403,
    title: 'Registration is closed',
    detail: 'Only an administrator can create accounts.'
  },
  'passkey-not-found': {
    status: 404,
    title: 'No such passkey',
    detail: 'You have no passkey with this id.'
  },
  'email-taken': {
    status: 409,
    title: 'The e-mail address is taken',
    detail:
      'An account with this e-mail address already exists. Sign in, or use another ' + 'address.'
  },
  'email-verified': {
    status: 409,
    title: 'The e-mail address is already confirmed',
    detail: 'There is nothing to do.'
  },
  'passkey-exists': {
    status: 409,
    title: 'The passkey already belongs to an account',
    detail: 'Use another device, or create a new passkey.'
  },
  'too-many-passkeys': {
    status: 409,
    title: 'There are too many passkeys',
    detail: 'The account has the maximum number of passkeys. Remove one first.'
  },
  'enrolment-link-not-needed': {
    status: 409,
    title: 'No enrolment link is required',
    detail: 'A link is only for the first second factor of a user whose roles require one.'
  },
  'enrolment-not-begun': {
    status: 409,
    title: 'There is no app to confirm',
    detail: 'Begin to set one up with POST /api/user/totp.'
  },
  'no-second-factor': {
    status: 409,
    title: 'There is no second factor',
    detail: 'Set up an authenticator app or a passkey first.'
  },
  'last-second-factor': {
    status: 409,
    title: 'This is the last second factor',
    detail:
      'Add another one first. If none of your roles requires a second factor, you can also ' +
      'allow signing in with the password alone, and then remove this one.'
  },
  'second-factor-required': {
    status: 409,
    title: 'Your roles require a second factor',
    detail: 'You can replace it with another one, but not turn it off.'
  },
  'second-factor-unreadable': {
    status: 503,
    title: 'Codes cannot be checked',
    detail:
      'The portal cannot read the secret of your authenticator app. Use a passkey or a ' +
      'recovery code, or ask an administrator.'
  }
} as const satisfies Record<string, ProblemType>
