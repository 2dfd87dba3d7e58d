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
      'The passkey could not be added. The response of the device is not valid, or took longer ' +
      'than five minutes. Start again.'
  },
  unauthenticated: {
    status: 401,
    title: 'Not signed in',
    detail: 'You are not signed in, or your session has ended. Sign in and try again.'
  },
  'invalid-credentials': {
    status: 401,
    title: 'E-mail or password is wrong',
    detail: 'The e-mail address or the password is wrong. Check both and try again.'
  },
  'invalid-code': {
    status: 401,
    title: 'The code is wrong',
    detail:
      'The code is wrong or was used before. Enter the current code from your authenticator ' +
      'app, or an unused recovery code.'
  },
  'login-expired': {
    status: 401,
    title: 'The sign-in has expired',
    detail:
      'The sign-in took longer than five minutes, there were too many wrong codes, or the ' +
      'account was changed. Sign in again.'
  },
  'unknown-passkey': {
    status: 401,
    title: 'The passkey is unknown',
    detail:
      'This passkey was removed from its account, or belongs to another portal. Sign in another ' +
      'way, and delete the passkey from your device.'
  },
  'passkey-refused': {
    status: 401,
    title: 'The passkey was not accepted',
    detail: 'The passkey was not accepted. Try again, or sign in another way.'
  },
  'wrong-password': {
    status: 403,
    title: 'The current password is wrong',
    detail:
      'The current password is wrong, so nothing was changed. Enter the password that you sign ' +
      'in with.'
  },
  'wrong-code': {
    status: 403,
    title: 'The code is wrong',
    detail:
      'The code is wrong or was used before, so nothing was changed. Enter the current code ' +
      'from your authenticator app.'
  },
  'wrong-passkey': {
    status: 403,
    title: 'The passkey was not accepted',
    detail:
      'The passkey belongs to another account, or took longer than five minutes. Nothing was ' +
      'changed. Try again with a passkey of your account.'
  },
  'reauthentication-required': {
    status: 403,
    title: 'Authenticate again',
    detail: 'Confirm that it is you before you do this, then try again. Nothing was changed.',
    hint:
      'Send the result of one of `methods` to `POST /api/auth/reauthenticate`, then repeat the ' +
      'request'
  },
  'enrolment-token-required': {
    status: 403,
    title: 'An enrolment link is required',
    detail:
      'Your roles require a second factor, and you need a link to set up the first one. ' +
      'Request the link by mail, or ask an administrator for it.',
    hint:
      '`POST /api/user/security/enrolment` sends the link. Send its token with the request that ' +
      'sets up the factor'
  },
  'mail-off': {
    status: 403,
    title: 'The portal sends no mail',
    detail: 'The portal cannot send mail. Ask an administrator for a link.',
    hint: 'No mail server is configured'
  },
  'email-differs': {
    status: 403,
    title: 'The invitation is for another address',
    detail:
      'This invitation is not for the confirmed e-mail address of your account. Sign in with the ' +
      'account of the address that it was sent to, or ask for another invitation.'
  },
  'email-unverified': {
    status: 403,
    title: 'The e-mail address is not confirmed',
    detail:
      'Your e-mail address is not confirmed. Open the newest link that was sent to it, or try ' +
      'again later.'
  },
  'deletion-pending': {
    status: 403,
    title: 'The account will be deleted',
    detail:
      'You have asked to delete this account. Until it is deleted you can restore it, and sign ' +
      'in again.',
    hint: '`deleteAt` says when. The same sign-in with `"restore": true` restores the account'
  },
  'registration-closed': {
    status: 403,
    title: 'Registration is closed',
    detail: 'You cannot create an account yourself. Ask an administrator for one.'
  },
  'registration-refused': {
    status: 403,
    title: 'You cannot register',
    detail: 'You cannot create an account here. Ask the people who run this site.',
    hint: 'A hook refuses the address'
  },
  'domain-refused': {
    status: 403,
    title: 'Addresses of this domain cannot be used',
    detail: 'Addresses of this domain cannot be used here. Use another address.',
    hint: '`REGISTRATION_DOMAINS` does not have the domain, or `REGISTRATION_BLOCKED` has it'
  },
  'challenge-required': {
    status: 428,
    title: 'A challenge must be solved first',
    detail: 'Your device must solve a challenge first. Update or reload the app, and try again.',
    hint: '`portal-client` and the account pages solve `challenge` unseen, and repeat the call'
  },
  'hook-failed': {
    status: 503,
    title: 'The registration cannot be checked',
    detail: 'The registration could not be checked. Try again in a moment.',
    hint: '`beforeRegister` of the app or `REGISTER_HOOK` has failed, or has taken over a second'
  },
  'passkey-not-found': {
    status: 404,
    title: 'No such passkey',
    detail: 'Your account does not have this passkey. It may have been removed.'
  },
  'other-user': {
    status: 409,
    title: 'Another user has signed in',
    detail:
      'Another user has signed in with this browser since the page was loaded, so nothing was ' +
      'changed. Reload the page.',
    hint: 'The session is not that of the user in `Portal-User`'
  },
  'email-taken': {
    status: 409,
    title: 'The e-mail address is taken',
    detail: 'An account with this e-mail address already exists. Sign in, or use another address.'
  },
  'email-verified': {
    status: 409,
    title: 'The e-mail address is already confirmed',
    detail: 'This e-mail address is already confirmed, so no link is needed.'
  },
  'deletion-waits': {
    status: 409,
    title: 'The account cannot be deleted yet',
    detail:
      'The e-mail address was changed in the last 72 hours, and its former owner can still take ' +
      'the account back. Delete it after that.'
  },
  'enrolment-link-waits': {
    status: 409,
    title: 'No enrolment link is sent yet',
    detail:
      'The password was set with a link from a mail in the last 72 hours, and the mailbox alone ' +
      'is not enough. Ask an administrator for a link, or wait.'
  },
  'passkey-exists': {
    status: 409,
    title: 'The passkey already belongs to an account',
    detail:
      'This passkey already belongs to an account. Use another device, or create a new passkey.'
  },
  'too-many-passkeys': {
    status: 409,
    title: 'There are too many passkeys',
    detail: 'Your account has the maximum number of passkeys. Remove one first.'
  },
  'enrolment-link-not-needed': {
    status: 409,
    title: 'No enrolment link is required',
    detail:
      'No link is needed to set up a second factor here. A link is only for the first second ' +
      'factor of a user whose roles require one.'
  },
  'enrolment-not-begun': {
    status: 409,
    title: 'There is no app to confirm',
    detail: 'No authenticator app is being set up, or its set-up has expired. Start again.',
    hint: 'Begin with `POST /api/user/totp`'
  },
  'no-second-factor': {
    status: 409,
    title: 'There is no second factor',
    detail: 'You have no second factor. Set up an authenticator app or a passkey first.'
  },
  'last-second-factor': {
    status: 409,
    title: 'This is the last second factor',
    detail:
      'This is your last second factor, and your account needs one. Add another one first. If ' +
      'none of your roles requires a second factor, you can also allow signing in with the ' +
      'password alone, and then remove this one.'
  },
  'second-factor-required': {
    status: 409,
    title: 'Your roles require a second factor',
    detail:
      'Your roles require a second factor. You can replace it with another one, but not turn it ' +
      'off.'
  },
  'second-factor-unreadable': {
    status: 503,
    title: 'Codes cannot be checked',
    detail:
      'The portal cannot check the codes from your authenticator app. Use a passkey or a ' +
      'recovery code, or ask an administrator.',
    hint: 'The secret is sealed with a key that `SECRET_KEYS` does not have'
  }
} as const satisfies Record<string, ProblemType>
