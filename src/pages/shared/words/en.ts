import { common } from '../../../client/words/common-en.ts'

/** The words of the shared parts. A placeholder in braces is replaced by a value. */
export const en = {
  ...common,
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
  'deletion-pending': 'Your account will be deleted',
  'deletion-pending-text':
    'You have asked to delete your account. It will be deleted after {time}. To use it, restore ' +
    'it.',
  'restore-sign-in': 'Restore the account and sign in',
  continue: 'Continue',
  cancel: 'Cancel',
  back: 'Back',
  loading: 'Loading …',
  'just-now': 'just now',
  'try-again': 'Try again',
  'field-missing': 'Fill in this field.',
  'field-email': 'Enter an e-mail address, such as ada@example.com.',
  'field-url': 'Enter an address that begins with https://',
  'field-short': 'Use at least {least} characters.',
  'field-long': 'Use at most {most} characters.',
  'field-malformed': 'This does not have the right form.',
  'setting-none': 'Not set',
  'setting-lines': 'One per line.',
  yes: 'Yes',
  no: 'No',
  'load-again': 'Load again',
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
  'provider-failed': 'The sign-in with the provider did not succeed. Try again.'
}
