import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { loadConfig } from '../../src/config/config.ts'
import { temporaryFolder } from '../support/app.ts'
import { portal } from '../cli/run.ts'
import { problemsOf } from './environments.ts'

const SECRET_KEYS = `k1:${randomBytes(32).toString('base64url')}`
const production = {
  PUBLIC_ORIGIN: 'https://portal.example.com',
  DATABASE_URL: 'postgres://portal@localhost/portal',
  SECRET_KEYS
}
const development = { NODE_ENV: 'development', SECRET_KEYS }
const mail = {
  MAIL_URL: 'smtp://portal:hunter2@smtp.example.com:587',
  MAIL_FROM: 'Portal <portal@example.com>',
  ACCOUNT_URL: 'https://portal.example.com/account'
}

t.test('production sends no mail without MAIL_URL, and asks nobody to confirm', async (t) => {
  const config = loadConfig(production)
  t.match(config, {
    MAIL_LOCALE: 'en',
    PRODUCT_NAME: 'portal',
    EMAIL_VERIFICATION: 'off',
    SIGN_IN_NOTICES: true,
    THROTTLE_MAIL_ADDRESS: { burst: 3, seconds: 1200 },
    THROTTLE_MAIL_SOURCE: { burst: 20, seconds: 60 },
    THROTTLE_MAIL_TOTAL: { burst: 600, seconds: 1 }
  })
  for (const name of ['MAIL_URL', 'MAIL_FROM', 'MAIL_TEXTS', 'ACCOUNT_URL'] as const) {
    t.equal(config[name], undefined, name)
  }
})

t.test('with MAIL_URL addresses must be confirmed, unless it is said otherwise', async (t) => {
  t.match(loadConfig({ ...production, ...mail }), { ...mail, EMAIL_VERIFICATION: 'required' })
  for (const EMAIL_VERIFICATION of ['off', 'optional']) {
    t.match(loadConfig({ ...production, ...mail, EMAIL_VERIFICATION }), { EMAIL_VERIFICATION })
  }
})

t.test('development catches mail: confirming an address is optional', async (t) => {
  t.match(loadConfig(development), {
    EMAIL_VERIFICATION: 'optional',
    ACCOUNT_URL: 'http://localhost:3000/account'
  })
  t.match(loadConfig({ ...development, PORT: '8080' }), {
    ACCOUNT_URL: 'http://localhost:8080/account'
  })
  t.match(loadConfig({ ...development, EMAIL_VERIFICATION: 'required' }), {
    EMAIL_VERIFICATION: 'required'
  })
  t.match(loadConfig({ ...development, MAIL_URL: 'smtp://localhost', MAIL_FROM: 'p@x.example' }), {
    EMAIL_VERIFICATION: 'required',
    ACCOUNT_URL: 'http://localhost:3000/account'
  })
  t.match(
    problemsOf({ ...development, PUBLIC_ORIGIN: 'localhost' }).map((each) => each.split(' ')[0]),
    ['PUBLIC_ORIGIN'],
    'a bad origin is one problem'
  )
})

t.test('MAIL_URL needs a sender and a place for the links', async (t) => {
  t.match(problemsOf({ ...production, MAIL_URL: mail.MAIL_URL }), [
    /^MAIL_FROM is not set/,
    /^ACCOUNT_URL is not set/
  ])
})

const wrong: [name: string, value: string, says: RegExp][] = [
  ['MAIL_URL', 'smtp.example.com:587', /must be smtp:\/\/user:password@host:587/],
  ['MAIL_URL', 'smtp://portal:hunter2@smtp.example.com/x', /percent-encode/],
  ['MAIL_FROM', 'Portal', /must be an address/],
  ['MAIL_FROM', 'Portal\r\nBcc: eve@example.com <p@example.com>', /must be an address/],
  ['MAIL_LOCALE', 'it', /a language that has texts: en, de, /],
  ['MAIL_LOCALE', 'english', /a language that has texts/],
  ['MAIL_TEXTS', '/nowhere', /cannot be read/],
  ['PRODUCT_NAME', 'a'.repeat(41), /1 to 40 characters/],
  ['PRODUCT_NAME', 'Kontor: Berlin', /without a colon/],
  ['PRODUCT_NAME', '  ', /1 to 40 characters/],
  ['PRODUCT_NAME', 'Kontor\nBerlin', /1 to 40 characters/],
  ['PRODUCT_NAME', 'Kontor \u202Enilreb', /1 to 40 characters/],
  ['EMAIL_VERIFICATION', 'yes', /one of off, optional, required/],
  ['SIGN_IN_NOTICES', 'yes', /true or false/],
  ['ACCOUNT_URL', 'portal.example.com/account', /must be a URL/],
  ['ACCOUNT_URL', 'javascript:alert(1)', /must be a URL/],
  ['ACCOUNT_URL', 'https://portal.example.com/account?x=1', /without a query/],
  ['ACCOUNT_URL', 'https://portal.example.com/account#x', /without a query/],
  ['ACCOUNT_URL', 'https://portal.example.com@evil.example/account', /without a query/],
  ['ACCOUNT_URL', 'https://evil.example/account', /at PUBLIC_ORIGIN/],
  ['ACCOUNT_URL', 'http://portal.example.com/account', /at PUBLIC_ORIGIN/],
  ['ACCOUNT_URL', 'https://portal.example.com:8443/account', /at PUBLIC_ORIGIN/],
  ['THROTTLE_MAIL_ADDRESS', '3', /burst\/seconds/],
  ['THROTTLE_MAIL_SOURCE', 'off', /burst\/seconds/]
]
for (const [name, value, says] of wrong) {
  t.test(`${name}=${JSON.stringify(value).slice(1, 40)} is rejected by name`, async (t) => {
    const problems = problemsOf({ ...production, ...mail, [name]: value })
    t.equal(problems.length, 1)
    t.match(problems[0], says)
    t.ok(problems[0]?.startsWith(`${name} `))
    t.notMatch(problems[0], 'hunter2')
  })
}

t.test('without a way to send, no address can be confirmed in production', async (t) => {
  for (const EMAIL_VERIFICATION of ['optional', 'required']) {
    t.match(problemsOf({ ...production, EMAIL_VERIFICATION }), [
      /^EMAIL_VERIFICATION must be off without MAIL_URL/
    ])
  }
})

t.test('links may lead to an app on one of the CORS_ORIGINS', async (t) => {
  const app = {
    CORS_ORIGINS: 'https://www.example.com, https://app.example.com',
    ACCOUNT_URL: 'https://app.example.com/settings/account'
  }
  t.match(loadConfig({ ...production, ...mail, ...app }), { ACCOUNT_URL: app.ACCOUNT_URL })
})

t.test('MAIL_TEXTS is rejected with every mistake in its files', async (t) => {
  const folder = path.join(temporaryFolder(t), 'texts')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'fr.json'), '{"common.hello":"Bonjour,"}')
  const env = { ...production, ...mail, MAIL_TEXTS: folder }
  t.match(loadConfig({ ...env, MAIL_LOCALE: 'fr-CA' }), { MAIL_TEXTS: folder })
  writeFileSync(path.join(folder, 'it.json'), '{"common.hello":"","nonsense":"x"}')
  t.match(problemsOf(env), [/^MAIL_TEXTS .*common\.hello.*; .*nonsense/])
})

t.test('MAIL_URL may come from a file, and is never shown', async (t) => {
  const file = path.join(temporaryFolder(t), 'mail-url')
  writeFileSync(file, `${mail.MAIL_URL}\n`)
  const { MAIL_URL, ...rest } = { ...production, ...mail }
  t.equal(loadConfig({ ...rest, MAIL_URL_FILE: file }).MAIL_URL, MAIL_URL)
  const shown = await portal(['config', '--json'], { env: { ...rest, MAIL_URL } })
  t.match(JSON.parse(shown.stdout), { MAIL_URL: '(secret)', MAIL_FROM: mail.MAIL_FROM })
  t.notMatch(shown.stdout, 'hunter2')
})
