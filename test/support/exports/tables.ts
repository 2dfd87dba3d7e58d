import { argon2, bcrypt, latin, lines } from './export.ts'
import type { Export } from './export.ts'

const scrypt = `${'0a'.repeat(16)}:${'1b'.repeat(64)}`
const clerkColumns =
  'id,first_name,last_name,username,primary_email_address,verified_email_addresses,' +
  'unverified_email_addresses,totp_secret,password_digest,password_hasher,banned'
const supabaseColumns =
  'id,email,encrypted_password,email_confirmed_at,created_at,banned_until,deleted_at,' +
  'raw_user_meta_data,is_sso_user,phone'
const accounts = [
  { id: 'a1', accountId: '17', providerId: 'google' },
  { id: 'a2', accountId: '18', providerId: 'discord' },
  { id: 'a3', accountId: 'b1', providerId: 'credential', password: scrypt }
]
const snake = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(snake)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value).map(([name, each]) => [
            name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
            snake(each)
          ])
        )
      : value
const betterAuth = [
  {
    id: 'b1',
    name: 'Ada',
    email: 'ada@example.com',
    emailVerified: true,
    createdAt: '2024-05-06 07:08:09',
    twoFactorEnabled: true,
    role: 'admin',
    accounts
  },
  { id: 'b2', name: 'Bob', email: 'bob@example.com', banned: true, banExpires: null },
  { id: 'b3', name: 'Cy', email: 'cy@example.com', banned: true, banExpires: '2020-01-01 00:00:00' }
]
const betterAuthFacts = {
  users: [
    'ada@example.com Ada active confirmed 2024-05-06T07:08:09.000Z password google',
    'bob@example.com Bob deactivated',
    'cy@example.com Cy active'
  ],
  said: [
    'imported 3, skipped 0 existing, rejected 0',
    /^1 of these users has a second factor/,
    '2 users have neither a password nor an account at a provider: they recover their accounts.',
    'Left out, with the number of users: accounts at discord (1), role (1).'
  ]
}

/** From the tables of a database, as lines, CSV or lists. */
export const tables: Export[] = [
  {
    from: 'auth0',
    content: latin(
      lines(
        {
          user_id: 'auth0|1',
          email: 'ada@example.com',
          name: 'Ada',
          email_verified: true,
          created_at: '2024-05-06T07:08:09.000Z',
          passwordHash: bcrypt,
          multifactor: ['guardian'],
          identities: [
            { provider: 'auth0', user_id: '1' },
            { provider: 'facebook', user_id: '2' },
            { provider: 'constructor', user_id: '3' }
          ],
          app_metadata: { plan: 'pro' }
        },
        { user_id: 'auth0|2', email: 'bob@example.com', name: 'Bob', blocked: true },
        { user_id: 'auth0|3', email: 'jose@example.com', name: 'José' }
      )
    ),
    users: [
      'ada@example.com Ada active confirmed 2024-05-06T07:08:09.000Z password',
      'bob@example.com Bob deactivated'
    ],
    said: [
      /^line 3: The input is not UTF-8: line 3, byte 60\.$/,
      'imported 2, skipped 0 existing, rejected 1',
      /^1 of these users has a second factor/,
      '1 user has neither a password nor an account at a provider: they recover their accounts.',
      'Left out, with the number of users: accounts at facebook (1), ' +
        'accounts at constructor (1), app_metadata (1).'
    ]
  },
  {
    from: 'clerk',
    name: 'CSV',
    content: Buffer.concat([
      Buffer.from(
        `\ufeff${clerkColumns}\r\nc1,"Ada, the ""first""",Lovelace,ada,ada@example.com,` +
          `ada@example.com,,JBSWY3DPEHPK3PXP,${bcrypt},bcrypt,false\r\n` +
          `c2,"Bob\n",,,bob@example.com,joebob@example.com,bob@example.com,,,,true\r\n` +
          'c3,short\r\n'
      ),
      latin('c4,José,,,jose@example.com,,,,,,\r\n'),
      Buffer.from('c5,Other,,,ADA@example.com,,,,,,\r\n')
    ]),
    users: [
      'ada@example.com Ada, the "first" Lovelace active confirmed password',
      'bob@example.com Bob deactivated'
    ],
    said: [
      'line 5: Has another number of columns than the first line.',
      'line 6: The input is not UTF-8: line 6, byte 7.',
      'line 7: Has the address of line 2.',
      'imported 2, skipped 0 existing, rejected 3',
      /^1 of these users has a second factor/,
      '1 user has neither a password nor an account at a provider: they recover their accounts.',
      'Left out, with the number of users: username (1), other e-mail addresses (1).'
    ]
  },
  {
    from: 'supabase',
    name: 'CSV',
    content: lines(
      supabaseColumns,
      `s1,ada@example.com,${bcrypt},2024-05-06 07:08:09.123+00,2024-05-06 07:08:09+00,` +
        '2020-01-01 00:00:00+00,,"{""full_name"":""Ada"",""plan"":""pro""}",f,411234',
      `s2,bob@example.com,${bcrypt},,2024-05-06 07:08:09+00,2124-01-01 00:00:00+00,,{},f,`,
      `s3,cy@example.com,${bcrypt},,2024-05-06 07:08:09+00,,2024-06-01 00:00:00+00,{},f,`,
      's4,,,,2024-05-06 07:08:09+00,,,{},f,'
    ),
    users: [
      'ada@example.com Ada active confirmed 2024-05-06T07:08:09.000Z password',
      'bob@example.com bob deactivated 2024-05-06T07:08:09.000Z password',
      'cy@example.com cy deactivated 2024-05-06T07:08:09.000Z password'
    ],
    said: [
      /^line 5: .*email: Is missing/,
      'imported 3, skipped 0 existing, rejected 1',
      'Left out, with the number of users: raw_user_meta_data.plan (1), phone (1), ' +
        'the end of a ban (1).'
    ]
  },
  {
    from: 'supabase',
    name: 'lines',
    content: lines({
      id: '4f3c2b1a-0d9e-4c8b-9a7f-6e5d4c3b2a10',
      email: 'ada@example.com',
      encrypted_password: bcrypt,
      email_confirmed_at: '2024-05-06T07:08:09+00:00',
      created_at: '2024-05-06T07:08:09+00:00',
      raw_user_meta_data: { name: 'Ada' },
      factors: [{ factor_type: 'totp' }],
      identities: [
        { provider: 'email', provider_id: 'x' },
        { provider: 'google', provider_id: '17', identity_data: { email: 'a@gmail.com' } }
      ]
    }),
    users: ['ada@example.com Ada active confirmed 2024-05-06T07:08:09.000Z password google'],
    said: ['imported 1, skipped 0 existing, rejected 0', /^1 of these users has a second factor/]
  },
  {
    from: 'better-auth',
    name: 'a list of PostgreSQL',
    content: JSON.stringify(betterAuth),
    ...betterAuthFacts
  },
  {
    from: 'better-auth',
    name: 'a list in snake_case',
    content: JSON.stringify(snake(betterAuth), null, 1),
    ...betterAuthFacts
  },
  {
    from: 'better-auth',
    name: 'lines of SQLite',
    content: lines(
      ...betterAuth.map(({ createdAt, banExpires, ...user }) => ({
        ...user,
        emailVerified: Number(user.emailVerified ?? false),
        twoFactorEnabled: Number(user.twoFactorEnabled ?? false),
        banned: Number(user.banned ?? false),
        accounts: JSON.stringify(user.accounts ?? []),
        createdAt: createdAt && Date.parse(`${createdAt}Z`) / 1000,
        banExpires: banExpires && String(Date.parse(`${banExpires}Z`))
      }))
    ),
    ...betterAuthFacts
  },
  {
    from: 'devise',
    content: lines(
      {
        id: 1,
        email: 'ada@example.com',
        name: 'Ada',
        encrypted_password: bcrypt,
        confirmed_at: '2024-05-06T07:08:09.5',
        created_at: '2024-05-06T07:08:09',
        otp_required_for_login: true,
        sign_in_count: 3,
        locked_at: '2024-05-06T07:08:09'
      },
      {
        id: 2,
        email: 'bob@example.com',
        deleted_at: '2024-05-06T07:08:09',
        provider: 'google_oauth2',
        uid: '17'
      },
      'no JSON',
      { id: 3, email: 'bob@example.com' }
    ),
    users: [
      'ada@example.com Ada active confirmed 2024-05-06T07:08:09.000Z password',
      'bob@example.com bob deactivated google'
    ],
    said: [
      'line 3: The input is not valid JSON.',
      'line 4: Has the address of line 2.',
      'imported 2, skipped 0 existing, rejected 2',
      /^1 of these users has a second factor/,
      'Left out, with the number of users: sign_in_count (1), locked_at (1).'
    ]
  },
  {
    from: 'logto',
    content: lines(
      {
        id: 'l1',
        primary_email: 'ada@example.com',
        name: 'Ada',
        created_at: '2024-05-06 07:08:09+00',
        password_encrypted: argon2,
        identities: { google: { userId: '17' }, wechat: { userId: '18' } },
        mfa_verifications: [{ type: 'Totp' }]
      },
      { id: 'l2', primary_email: 'bob@example.com', is_suspended: 't', custom_data: { a: 1 } }
    ),
    users: [
      'ada@example.com Ada active confirmed 2024-05-06T07:08:09.000Z password google',
      'bob@example.com bob deactivated confirmed'
    ],
    said: [
      'imported 2, skipped 0 existing, rejected 0',
      /^1 of these users has a second factor/,
      '1 user has neither a password nor an account at a provider: they recover their accounts.',
      'Left out, with the number of users: accounts at wechat (1), custom_data (1).'
    ]
  }
]
