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
  'sign-in-with': 'Sign in with {name}',
  or: 'or',
  'second-factor': 'Second factor',
  continue: 'Continue',
  cancel: 'Cancel',
  back: 'Back',
  loading: 'Loading …',
  'try-again': 'Try again',
  'retry-after': 'Try again in {time}.',
  unreachable: 'The portal cannot be reached. Check your connection and try again.',
  foreign:
    'The response is not from the portal. Sign in to the network that you use, and try again.',
  'passkey-cancelled': 'The passkey was not used. Try again, or use another method.',
  'field-missing': 'Fill in this field.',
  'field-email': 'Enter an e-mail address, such as ada@example.com.',
  'field-url': 'Enter an address that begins with https://',
  'field-short': 'Use at least {least} characters.',
  'field-long': 'Use at most {most} characters.',
  'field-malformed': 'This does not have the right form.',
  discard: 'Discard what you have typed?',
  'discard-text': 'It has not been saved.',
  'discard-no': 'Keep it',
  'discard-yes': 'Discard it',
  broken: 'This page cannot be shown',
  'broken-text': 'It has failed unexpectedly. Nothing was changed by that.',
  'broken-request': 'Last request:',
  reload: 'Reload',
  'session-ended': 'Your session has ended',
  'session-ended-text': 'Sign in again. What you have typed is still on the page.',
  prove: 'Confirm that it is you',
  'prove-text': 'This change needs a recent sign-in.',
  'prove-passkey': 'Use a passkey',
  'prove-with': 'Sign in with {name} again',
  'prove-elsewhere':
    'Signing in with a provider leads you away from this page and back. Then repeat the change: ' +
    'what you have typed is lost.',
  'factor-unusable':
    'Your second factor cannot be used here any more. Ask the people who run this service to ' +
    'reset it.',
  'prove-nothing': 'Sign out and sign in again to confirm that it is you.',
  'provider-failed': 'The sign-in with the provider did not succeed. Try again.',
  // These have no response that says what is wrong: the browser comes back with the code alone.
  'problem.account-exists':
    'There is already an account with this e-mail address. Sign in another way, and link the ' +
    'provider under “Security”. Without a password, ask for a new one by mail.',
  'problem.flow-expired':
    'The sign-in took longer than ten minutes, was completed already, or began in another ' +
    'browser. Start again.',
  'problem.provider-account-taken':
    'This account at the provider is linked to another account here. Unlink it there first.',
  'problem.provider-email-missing':
    'The provider has not confirmed your e-mail address. Confirm it there, or create an account ' +
    'here and link the provider afterwards.',
  'problem.provider-refused':
    'The provider did not sign you in, or its response could not be verified. Try again, or sign ' +
    'in another way.',
  'problem.provider-required':
    'Your organization manages this address. Sign in with its provider instead.',
  'problem.provider-unavailable':
    'The provider does not answer. Try again in a few minutes, or sign in another way.',
  'problem.sign-in-refused': 'You cannot sign in with this account. Ask an administrator.',
  'problem.too-many-providers': 'Ten accounts at providers are linked already. Unlink one first.'
}
