/** Words of the page of API keys. */
export const keys = {
  keys: 'API keys',
  'keys-text':
    'With an API key, a program can act on your behalf, with your permissions. Only you should ' +
    'know your keys.',
  'keys-none': 'You have no API keys.',
  'key-create': 'Create an API key',
  'key-name': 'What the key is for',
  'key-name-hint': 'Such as “Nightly report”',
  'key-days': 'Days until it expires',
  'key-days-hint': 'At most 365; 90 if you leave it empty',
  'key-created-text': 'Store the new key now: it is shown only this once.',
  'key-stored': 'I have stored the key',
  'key-expires': 'Expires {time}',
  'key-unused': 'never used',
  'key-revoke': 'Revoke',
  'key-revoke-title': 'Revoke “{name}”?',
  'key-revoke-text': 'Programs that use this key stop working at once. It cannot be undone.',
  'key-revoke-done': '“{name}” is revoked.',
  'end-keys': 'End all API keys',
  'end-keys-text':
    'All API keys of the account that the mail went to end. Programs that use one of them stop ' +
    'working at once. It cannot be undone.',
  'end-keys-again': 'Or sign in: on the page about security you can revoke API keys one by one.',
  'end-keys-done': 'All API keys have ended',
  'end-keys-done-text': 'Nobody can use them any longer.'
}
