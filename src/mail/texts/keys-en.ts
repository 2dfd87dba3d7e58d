/** The sentences of mails about API keys. */
export const keys = {
  'password-changed.keys':
    'A new password does not end API keys. The account has some that still work: {count}. Check ' +
    'them on your account page, and revoke those that you do not know.',
  'password-changed.keys-ended':
    'API keys that somebody else may have created ended with it: {count}.',
  'password-changed.keys-left':
    'These API keys still work: {keys}. If you do not know one of them, end all of them with ' +
    'this link.',
  'password-changed.end-keys': 'End all API keys',
  'factors.keys-ended':
    'API keys that were created before it no longer work: {count}. Create new ones where ' +
    'programs need them.',
  'factors.keys-lowered':
    'Roles that require a second factor no longer count for your API keys: {count}.',

  'key-created.subject': 'An API key was created for your {product} account',
  'key-created.body':
    'An API key was created for your account at {product}. A program that has it can act on your ' +
    'behalf.',
  'key-created.which': 'The key: {key}.',
  'key-created.not-you':
    'If this was not you, revoke the key and change your password now. A new password alone does ' +
    'not end the key.',
  'key-created.button': 'See your API keys',

  'key-expiring.subject': 'An API key for {product} expires soon',
  'key-expiring.body': 'An API key at {product} expires soon. Programs that use it will stop.',
  'key-expiring.own': 'Your key {key} expires at {time}.',
  'key-expiring.service': 'The key {key} of the service {service} expires at {time}.',
  'key-expiring.advice':
    'If it is still needed, create another key, replace it where it is used, and then revoke the ' +
    'old one. Both work until then.'
} as const
