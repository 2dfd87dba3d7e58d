/** The mail about a sign-in from a new browser. */
export const newDevice = {
  'new-device.subject': 'New sign-in to your {product} account',
  'new-device.body':
    'Somebody signed in to your account at {product} from a browser that has not been used with ' +
    'it before.',
  'new-device.password': 'They used the password.',
  'new-device.passkey': 'They used a passkey.',
  'new-device.provider': 'They used an account at {provider}.',
  'new-device.password-not-you':
    'If this was not you, change your password now. That ends all other sessions. You can see ' +
    'them on your account page.',
  'new-device.passkey-not-you':
    'If this was not you, remove every passkey that you do not know. That ends all other ' +
    'sessions. A new password alone does not keep out somebody who has a passkey.',
  'new-device.provider-not-you':
    'If this was not you, unlink the account at {provider}. That ends the sessions that began ' +
    'with it. If the account there is yours, secure it there. A new password alone does not keep ' +
    'out somebody who can use that account.',
  'new-device.not-you':
    'If this was not you, change your password now and check how you sign in. Changing the ' +
    'password ends all other sessions.',
  'new-device.button': 'See your sessions'
} as const
