/** The words of the shared parts. A placeholder in braces is replaced by a value. */
export const en = {
  email: 'E-mail address',
  password: 'Password',
  code: 'Code from your authenticator app',
  'recovery-code': 'Recovery code',
  'use-recovery-code': 'Use a recovery code',
  'use-code': 'Use the authenticator app',
  'use-password': 'Use the password',
  'sign-in': 'Sign in',
  'sign-in-passkey': 'Sign in with a passkey',
  'second-factor': 'Second factor',
  continue: 'Continue',
  cancel: 'Cancel',
  back: 'Back',
  loading: 'Loading …',
  'try-again': 'Try again',
  'retry-after': 'Try again in {time}.',
  unreachable: 'The portal cannot be reached. Check your connection and try again.',
  'passkey-cancelled': 'The passkey was not used. Try again, or use another method.',
  'session-ended': 'Your session has ended',
  'session-ended-text': 'Sign in again. What you have typed is still on the page.',
  prove: 'Confirm that it is you',
  'prove-text': 'This change needs a recent sign-in.',
  'prove-passkey': 'Use a passkey',
  'factor-unusable':
    'Your second factor cannot be used here any more. Ask the people who run this service to ' +
    'reset it.',
  'prove-nothing': 'Sign out and sign in again to confirm that it is you.'
}
