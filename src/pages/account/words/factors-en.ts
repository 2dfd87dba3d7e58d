/** Words about what a sign-in is for, and about the second factor. */
export const factors = {
  'enter-factor': 'Enter the second factor',
  'why-confirm-email': 'Sign in to confirm your e-mail address.',
  'why-enrol': 'Sign in to set up your second factor.',
  'why-security': 'Sign in to see your security settings.',
  'why-sessions': 'Sign in to see your sessions.',
  'why-settings': 'Sign in to see your settings.',
  'why-data': 'Sign in to see your data.',
  'why-delete': 'Sign in to delete your account.',

  'factor-text':
    'A second factor is an authenticator app or a passkey. With one, a stolen password is not ' +
    'enough to sign in.',
  'factor-first': 'Setting up your first app or passkey ends all other sessions.',
  'factor-roles': 'Your roles require a second factor: {roles}.',
  'factor-needs-link':
    'To set up an app or a passkey, you need a link that is sent to your address.',
  'password-alone': 'Your password alone is enough to sign in.',
  'password-and-factor': 'Signing in with the password also requires a second factor.',
  'require-factor': 'Require a second factor',
  'allow-password': 'Stop asking for a second factor',
  'factor-passkey': '1 passkey',
  'factor-passkeys': '{count} passkeys',
  on: 'On',
  off: 'Off',
  app: 'Authenticator app',
  'app-since': 'Set up {time}.',
  'app-none': 'An app on your phone shows codes for signing in.',
  'app-set-up': 'Set up an app',
  'app-replace': 'Replace the app',
  'app-replace-text':
    'Your present app works until you confirm the new one with a code. From then on, only the ' +
    'new one works, and all other sessions end.',
  'app-remove': 'Remove the app',
  'app-remove-text':
    'Codes from the app will no longer work, and all other sessions will end. Without another ' +
    'second factor, your password alone is enough to sign in.',
  'app-remove-done': 'The app is removed.',
  'app-scan': 'Scan this image with the app.',
  'app-image': 'QR code for the authenticator app',
  'app-open': 'Open the app on this device',
  'app-secret': 'Or type this key into the app:',
  'app-confirm': 'Use this app',
  'first-code': 'The six digits that the app shows',
  codes: 'Recovery codes',
  'codes-left':
    'Recovery codes left: {left}. Each lets you sign in once without your app or passkey.',
  'codes-renew': 'Create new recovery codes',
  'codes-text':
    'Each of these codes works once, in place of your second factor. Keep them where you can ' +
    'find them without your phone. They are not shown again, and all earlier ones are invalid.',
  copy: 'Copy',
  copied: 'Copied.',
  'copy-failed': 'The browser did not allow copying. Select the text and copy it.',
  print: 'Print',
  'codes-stored': 'I have stored these codes',
  'codes-leave': 'Leave without the codes?',
  'codes-leave-text':
    'They are not shown again. Without them, you cannot sign in if you lose your second factor.',
  'codes-stay': 'Back to the codes',
  'codes-leave-action': 'Leave without them'
}
