import { argon2 } from './export.ts'
import type { Export } from './export.ts'

const salt = 'MDEyMzQ1Njc4OWFiY2RlZg'
const django = 'pbkdf2_sha256$10000$saltsaltsalt1$v+IvClRrTcHVw43N1nyzZmMKaXIjdNQuk3b5+FHTcss='
const pbkdf2 = {
  type: 'password',
  secretData: JSON.stringify({ value: 'rqRM8zWcxqR5JgdNH2Ukv6ZDL0xynSbmRCDsePeFnOo', salt }),
  credentialData: JSON.stringify({ algorithm: 'pbkdf2-sha256', hashIterations: 27_500 })
}
const firebaseUser = {
  localId: 'f1',
  email: 'ada@example.com',
  emailVerified: true,
  displayName: 'Ada',
  createdAt: '1714979289000',
  passwordHash:
    'lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ==',
  salt: '42xEC-ixf3L2lw=='
}

/** One JSON document each. */
export const documents: Export[] = [
  {
    from: 'keycloak',
    content: `\ufeff${JSON.stringify(
      {
        id: 'acme',
        realm: 'acme',
        users: [
          {
            id: 'k1',
            username: 'ada',
            email: 'ada@example.com',
            emailVerified: true,
            firstName: 'Ada',
            lastName: 'Lovelace',
            enabled: true,
            totp: false,
            createdTimestamp: 1_714_979_289_000,
            credentials: [pbkdf2],
            federatedIdentities: [{ identityProvider: 'google', userId: '17', userName: 'ada' }],
            realmRoles: ['default-roles-acme'],
            groups: ['/helpdesk']
          },
          {
            id: 'k2',
            email: 'bob@example.com',
            enabled: 'false',
            credentials: [pbkdf2, { type: 'webauthn' }],
            requiredActions: ['UPDATE_PASSWORD', 'TERMS_AND_CONDITIONS']
          },
          { id: 'k3', username: 'service-account-web', enabled: true },
          { id: 'k4', email: 'ADA@example.com', firstName: 'Other', enabled: true }
        ]
      },
      null,
      2
    )}`,
    users: [
      'ada@example.com Ada Lovelace active confirmed 2024-05-06T07:08:09.000Z password google',
      'bob@example.com bob deactivated'
    ],
    said: [
      /^user 3: .*email: Is missing: every user needs an address/,
      'user 4: Has the address of user 1.',
      'imported 2, skipped 0 existing, rejected 2',
      /^1 of these users has a second factor/,
      '1 user has neither a password nor an account at a provider: they recover their accounts.',
      'Left out, with the number of users: username (1), realmRoles (1), groups (1), ' +
        'passwords that must be changed (1), requiredActions (1).'
    ]
  },
  {
    from: 'firebase',
    content: `{"users": [\n${[
      { ...firebaseUser, customAttributes: '{"plan":"pro"}', mfaInfo: [{ phoneInfo: '+41' }] },
      { localId: 'f2', email: 'bob@example.com', disabled: true, phoneNumber: '+411234' },
      { ...firebaseUser, localId: 'f3', email: 'cy@example.com', salt: '' }
    ]
      .map((each) => JSON.stringify(each, null, 2))
      .join(',\n')}]}`,
    users: [
      'ada@example.com Ada active confirmed 2024-05-06T07:08:09.000Z password',
      'bob@example.com bob deactivated'
    ],
    said: [
      /^user 3: .*passwordHash: Has no salt/,
      'imported 2, skipped 0 existing, rejected 1',
      /^1 of these users has a second factor/,
      '1 user has neither a password nor an account at a provider: they recover their accounts.',
      'Left out, with the number of users: customAttributes (1), phoneNumber (1).'
    ]
  },
  {
    from: 'django',
    content: JSON.stringify([
      { model: 'contenttypes.contenttype', pk: 1, fields: { app_label: 'auth' } },
      {
        model: 'auth.user',
        pk: 1,
        fields: {
          email: 'ada@example.com',
          first_name: 'Ada',
          last_name: '',
          password: django,
          is_active: true,
          is_superuser: true,
          date_joined: '2024-05-06T07:08:09',
          groups: [['editors']]
        }
      },
      {
        model: 'auth.user',
        pk: 2,
        fields: { email: 'bob@example.com', password: '!x', is_active: false, is_staff: false }
      },
      { model: 'otp_totp.totpdevice', pk: 1, fields: { user: 1, key: 'aa' } }
    ]),
    users: [
      'ada@example.com Ada active 2024-05-06T07:08:09.000Z password',
      'bob@example.com bob deactivated'
    ],
    said: [
      'imported 2, skipped 0 existing, rejected 0',
      '1 user has neither a password nor an account at a provider: they recover their accounts.',
      'Left out, with the number of users: records of contenttypes.contenttype (1), ' +
        'records of otp_totp.totpdevice (1), is_superuser (1), groups (1).'
    ]
  },
  {
    from: 'cognito',
    content: JSON.stringify(
      {
        Users: [
          {
            Username: 'ada',
            Attributes: [
              { Name: 'sub', Value: '4f3c2b1a-0d9e-4c8b-9a7f-6e5d4c3b2a11' },
              { Name: 'email', Value: 'ada@example.com' },
              { Name: 'email_verified', Value: 'true' },
              { Name: 'given_name', Value: 'Ada' },
              { Name: 'identities', Value: '[{"userId":"17","providerName":"Google"}]' }
            ],
            UserCreateDate: '2024-05-06T09:08:09+02:00',
            Enabled: true
          },
          {
            Username: 'bob',
            Attributes: [
              { Name: 'email', Value: 'bob@example.com' },
              { Name: 'email_verified', Value: 'false' },
              { Name: 'phone_number', Value: '+411234' }
            ],
            UserCreateDate: 1_714_979_289.5,
            Enabled: false,
            MFAOptions: [{ DeliveryMedium: 'SMS' }]
          }
        ]
      },
      null,
      4
    ),
    users: [
      'ada@example.com Ada active confirmed 2024-05-06T07:08:09.000Z google',
      'bob@example.com bob deactivated 2024-05-06T07:08:09.500Z'
    ],
    said: [
      'imported 2, skipped 0 existing, rejected 0',
      /^1 of these users has a second factor/,
      '1 user has neither a password nor an account at a provider: they recover their accounts.',
      'Left out, with the number of users: Username (2), phone_number (1).'
    ]
  },
  {
    from: 'directus',
    content: JSON.stringify([
      { id: 'd1', email: 'ada@example.com', first_name: 'Ada', status: 'active', password: argon2 },
      { id: 'd2', email: 'bob@example.com', status: 'suspended', tfa_secret: 'JBSWY3DPEHPK3PXP' }
    ]),
    users: ['ada@example.com Ada active password', 'bob@example.com bob deactivated'],
    said: [
      'imported 2, skipped 0 existing, rejected 0',
      /^1 of these users has a second factor/,
      '1 user has neither a password nor an account at a provider: they recover their accounts.'
    ]
  }
]
