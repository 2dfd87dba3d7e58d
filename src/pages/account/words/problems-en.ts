import type { ProblemWords } from './met.ts'

export const problems: ProblemWords = {
  'problem.body-too-large': 'What you have typed is too long. Shorten it.',
  'problem.cross-site': 'The request came from another site. Open this page again.',
  'problem.database-unavailable': 'The portal cannot reach its data. Confirmed changes are safe.',
  'problem.deletion-waits':
    'The e-mail address was changed a short time ago, and its former owner can still take the ' +
    'account back. Until then it cannot be deleted.',
  'problem.email-taken':
    'There is already an account with this e-mail address. Sign in, or use another address.',
  'problem.email-unverified':
    'Confirm your e-mail address first, with the newest link that was sent to it. If there is ' +
    'none, try again later. If you are signed in, you can request one under “Security” with ' +
    '“Send a link to confirm it”.',
  'problem.email-verified': 'Your e-mail address is already confirmed.',
  'problem.enrolment-link-not-needed': 'You do not need a link to set up a second factor.',
  'problem.enrolment-link-waits':
    'You chose a new password with a link from a mail a short time ago. Ask an administrator for ' +
    'the link.',
  'problem.enrolment-not-begun': 'This set-up of the app is no longer valid. Start again.',
  'problem.enrolment-token-required':
    'Your roles require a second factor, and the first one needs a link. Ask for one by mail, or ' +
    'ask an administrator.',
  'problem.expectation-failed': 'The request could not be read. Reload the page and try again.',
  'problem.headers-too-large':
    'The browser sent too many cookies. Delete those of this site and try again.',
  'problem.host-not-allowed':
    'The portal is not available at this address. Ask an administrator for the right one.',
  'problem.internal-error': 'Something went wrong. Try again later.',
  'problem.invalid-code': 'The code is wrong, or was used before. Check it, or use another one.',
  'problem.invalid-credentials': 'The e-mail address or the password is wrong.',
  'problem.invalid-cursor': 'The list has changed. Reload the page.',
  'problem.invalid-passkey': 'The passkey could not be added. Start again.',
  'problem.invalid-request': 'Check what you have typed.',
  'problem.invalid-token': 'The link was used before, has expired or is incomplete.',
  'problem.last-admin':
    'Without your account, nobody could administer the portal. Somebody else must become an ' +
    'administrator first.',
  'problem.last-second-factor':
    'This is your last second factor, and one is required. Add another one first, or allow ' +
    'signing in with the password alone.',
  'problem.login-expired': 'The sign-in has expired. Enter your password again.',
  'problem.mail-off': 'The portal does not send mail. Ask an administrator for a link.',
  'problem.malformed-json': 'The request could not be read. Reload the page and try again.',
  'problem.malformed-request': 'The request could not be read. Reload the page and try again.',
  'problem.no-second-factor': 'Set up a second factor first.',
  'problem.overloaded': 'The portal is too busy.',
  'problem.passkey-exists': 'This passkey already belongs to an account. Create another one.',
  'problem.passkey-not-found': 'You no longer have this passkey. Reload the page.',
  'problem.passkey-refused': 'The passkey was not accepted. Sign in another way.',
  'problem.permission-denied': 'You are not allowed to do this. Ask an administrator.',
  'problem.rate-limited': 'There were too many attempts.',
  'problem.reauthentication-required': 'Nothing was changed: first confirm that it is you.',
  'problem.registration-closed': 'Only an administrator can create accounts.',
  'problem.request-timeout': 'The connection is too slow. Try again.',
  'problem.second-factor-required':
    'Your roles require a second factor. You can replace it, but not turn it off.',
  'problem.second-factor-unreadable':
    'Codes of the app cannot be checked. Use a passkey or a recovery code, or ask ' +
    'an administrator.',
  'problem.session-not-found': 'This session has already ended. Reload the page.',
  'problem.too-many-passkeys': 'You cannot add another passkey. Remove one first.',
  'problem.unauthenticated': 'Your session has ended. Sign in, and try again.',
  'problem.unknown-passkey':
    'This passkey was removed from its account. Sign in another way, and delete it ' +
    'from your device.',
  'problem.unsupported-media-type': 'The request could not be read. Reload the page and try again.',
  'problem.uri-too-long': 'The address is too long. Open this page again.',
  'problem.wrong-code': 'The code is wrong, or was used before. Wait for the next one.',
  'problem.wrong-passkey':
    'This passkey belongs to another account, or the confirmation took too long.',
  'problem.wrong-password': 'The current password is wrong. Nothing was changed.'
}
