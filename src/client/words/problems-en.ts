import type { ProblemWords } from './known-problem-codes.ts'

/** Where the portal's own words, which are English as well, do not say what to do on a page. */
export const problems = {
  'problem.database-unavailable': 'The portal cannot use its data. Confirmed changes are safe.',
  'problem.email-unverified':
    'Confirm your e-mail address first, with the newest link that was sent to it. If there is ' +
    'none, try again later. If you are signed in, you can request one under “Security” with ' +
    '“Send a link to confirm it”.',
  'problem.invalid-code': 'The code is wrong, or was used before. Check it, or use another one.',
  'problem.invalid-credentials': 'The e-mail address or the password is wrong.',
  'problem.invalid-request': 'Check what you have typed.',
  'problem.invalid-token': 'The link was used before, has expired or is incomplete.',
  'problem.login-expired': 'The sign-in has expired. Enter your password again.',
  'problem.mail-off': 'The portal does not send mail. Ask an administrator for a link.',
  'problem.overloaded': 'The portal is too busy.',
  'problem.reauthentication-required': 'Nothing was changed: first confirm that it is you.',
  'problem.registration-closed': 'Only an administrator can create accounts.',
  'problem.second-factor-required':
    'Your roles require a second factor. You can replace it, but not turn it off.',
  'problem.unauthenticated': 'Your session has ended. Sign in, and try again.',
  'problem.wrong-code': 'The code is wrong, or was used before. Wait for the next one.',
  'problem.wrong-password': 'The current password is wrong. Nothing was changed.'
} satisfies Partial<ProblemWords>
