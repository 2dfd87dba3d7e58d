import t from 'tap'
import type { Config } from '../../../../src/config/config.ts'
import { testApp } from '../../../support/app.ts'

const production = { development: false, PUBLIC_ORIGIN: 'https://portal.example.com' }
const server = { MAIL_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'portal@example.com' }
const cases: [string, Partial<Config>, object][] = [
  [
    'in development without a mail server',
    {},
    {
      emailVerification: 'optional',
      passwordReset: true,
      accountUrl: 'http://localhost:3000/account'
    }
  ],
  [
    'where addresses must be confirmed',
    { ...production, ...server, EMAIL_VERIFICATION: 'required' },
    { emailVerification: 'required', passwordReset: true }
  ],
  [
    'where nobody is asked to confirm an address',
    { ...server, EMAIL_VERIFICATION: 'off' },
    { emailVerification: 'off', passwordReset: true }
  ],
  [
    'in production without a mail server',
    production,
    { emailVerification: 'off', passwordReset: false, accountUrl: null }
  ],
  ['without passkeys', { PASSKEYS: 'off' }, { passkeys: false }],
  ['with closed registration', { REGISTRATION: 'closed' }, { registration: 'closed' }],
  ['where accounts can be restored', { DELETION_GRACE_DAYS: 30 }, { deletionGraceDays: 30 }],
  ['with longer passwords', { PASSWORD_MIN_LENGTH: 12 }, { passwordMinLength: 12 }]
]

for (const [when, changes, expected] of cases) {
  t.test(`the options of sign-in ${when}`, async (t) => {
    const app = await testApp(t, changes)
    const response = await app.inject('/api/auth/options')
    t.equal(response.statusCode, 200)
    const options = response.json() as object
    t.match(options, { registration: 'open', passkeys: true, passwordMinLength: 8, ...expected })
    t.same(
      Object.keys(options).sort(),
      [
        'accountUrl',
        'deletionGraceDays',
        'emailVerification',
        'passkeys',
        'passwordMinLength',
        'passwordReset',
        'providers',
        'providersByDomain',
        'registration'
      ],
      'and nothing else'
    )
    t.notMatch(response.body, /127\.0\.0\.1|portal@example\.com/)
  })
}
