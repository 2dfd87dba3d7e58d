/** The codes of field errors, with their meanings. A published code never changes. */
export const fieldCodes = {
  required: 'The field is missing',
  'unknown-property': 'The object has a property that it cannot have',
  empty: 'The patch changes nothing',
  'wrong-type': 'Not of the expected type',
  malformed: 'Not in the expected form',
  'not-allowed': 'Not one of the possible values',
  'out-of-range': 'The number or time is out of range',
  'too-short': 'The text or the list is too short',
  'too-long': 'The text is too long',
  'too-many': 'The list or the object has too many entries',
  repeated: 'The list contains the same value twice',
  'invalid-characters':
    'Control characters, unpaired surrogates or bidirectional control characters',
  'invalid-email': 'Not an e-mail address',
  'invalid-url': 'Not an https URL',
  'invalid-locale': 'Not a language tag (BCP 47)',
  'invalid-time-zone': 'Not a name in the IANA time zone database',
  'too-guessable': 'The password is easy to guess',
  'unknown-hash': 'The hash of an imported password is in no form that the portal knows',
  'unsafe-hash': 'The hash of an imported password is too weak, or too expensive to compute',
  'unknown-issuer': 'No provider of PROVIDERS has this issuer',
  'already-used': 'Another user has this id, or this account at a provider',
  'unknown-role': 'No role has this key',
  'unknown-segment': 'No segment has this key',
  'unknown-permission': 'No permission has this key',
  'unknown-setting': 'SETTINGS_SCHEMA has no app setting with this path',
  'unknown-variant': 'The flag has no variant with this name',
  'unknown-audience': 'ASSERTION_AUDIENCES does not list this service',
  'invalid-value': 'The value of the flag cannot be stored',
  'wrong-sum': 'The weights of a split do not add up to 100000',
  invalid: 'Anything else'
} as const

export type FieldCode = keyof typeof fieldCodes
