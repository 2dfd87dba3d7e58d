import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { loadConfig } from '../../src/config/config.ts'
import { temporaryFolder } from '../support/app.ts'
import { development, key, problemsOf, production } from './environments.ts'

const wrong: [name: string, value: string, says: RegExp][] = [
  ['PORT', '70000', /whole number from 0 to 65535/],
  ['PORT', '80x', /whole number/],
  ['PORT', '1e3', /whole number/],
  ['BCRYPT_COST', '4', /from 10 to 15/],
  ['SESSION_IDLE_SECONDS', '10', /from 300/],
  ['SESSION_IDLE_SECONDS', '700000', /not be longer than SESSION_ABSOLUTE_SECONDS/],
  ['MIGRATE_ON_START', 'yes', /true or false/],
  ['REGISTRATION', 'maybe', /one of open, closed/],
  ['LOG_LEVEL', 'loud', /one of trace/],
  ['PASSKEYS', 'maybe', /one of on, off/],
  ['PASSKEY_RP_ID', 'example.org', /parent domain/],
  ['PASSKEY_RP_ID', 'ample.com', /parent domain/],
  ['PASSKEY_RP_ID', 'com', /parent domain/],
  ['PASSKEY_RP_ID', 'www.portal.example.com', /parent domain/],
  ['PASSKEY_RP_ID', 'https://portal.example.com', /host name like example.com/],
  ['PASSKEY_RP_ID', 'portal.example.com:443', /host name like example.com/],
  ['PASSKEY_RP_ID', 'Portal.example.com', /host name like example.com/],
  ['PASSKEY_RP_ID', '192.0.2.7', /no passkeys for an IP address/],
  ['PASSKEY_RP_ID', '[2001:db8::1]', /no passkeys for an IP address/],
  ['DATABASE_URL', 'mysql://x', /postgres:\/\/… or pglite:DIRECTORY/],
  ['DATABASE_URL', 'postgres://u:12/Secret@host/db', /percent-encoded/],
  ['DATABASE_URL', 'postgres://u:Secret@host:port/db', /percent-encoded/],
  ['DATABASE_URL', 'postgres://u:%zz@host/db', /write %25/],
  ['DATABASE_URL', 'postgres://u@db-a,db-b/db', /add target_session_attrs=primary/],
  ['DATABASE_URL', 'postgres://u@db-a/db?target_session_attrs=any', /target_session_attrs=primary/],
  ['MIGRATION_DATABASE_URL', 'postgres://u:12/Secret@host/db', /percent-encoded/],
  ['MIGRATION_DATABASE_URL', 'mysql://x', /is not valid: postgres:\/\/… for migrations/],
  ['ASSERTION_AUDIENCES', 'Invoices', /is not valid: Names of services/],
  ['PUBLIC_ORIGIN', 'http://portal.example.com', /must be https/],
  ['PUBLIC_ORIGIN', 'https://portal.example.com/', /without a path/],
  ['PUBLIC_ORIGIN', 'portal.example.com', /must be an origin/],
  ['TRUST_PROXY', 'true', /CIDR/],
  ['TRUST_PROXY', '1', /CIDR/],
  ['TRUST_PROXY', '0.0.0.0/0', /CIDR/],
  ['TRUST_PROXY', '10.0.0.0/33', /CIDR/],
  ['TRUST_PROXY', '::/0', /CIDR/],
  ['TRUST_PROXY', 'loopback', /CIDR/],
  ['WEBHOOK_NETWORKS', '10.0.0.0/33', /CIDR/],
  ['WEBHOOK_NETWORKS', '10.0.0.0/8, internal', /CIDR/],
  ['CORS_ORIGINS', '*', /origins like/],
  ['CORS_ORIGINS', 'null', /origins like/],
  ['CORS_ORIGINS', 'https://app.example.com/', /origins like/],
  ['CORS_ORIGINS', 'https://*.example.com', /origins like/],
  ['CORS_ORIGINS', 'http://app.example.com', /origins like/],
  ['CORS_ORIGINS', 'https://app.example.com, app.example.com', /origins like/],
  ['ALLOWED_HOSTS', '*', /host names like/],
  ['ALLOWED_HOSTS', 'portal.internal:8080', /host names like/],
  ['ALLOWED_HOSTS', 'https://portal.internal', /host names like/],
  ['THROTTLE_LOGIN_PAIR', '10', /burst\/seconds/],
  ['THROTTLE_LOGIN_PAIR', '0/30', /burst\/seconds/],
  ['THROTTLE_LOGIN_PAIR', '10/0', /burst\/seconds/],
  ['THROTTLE_LOGIN_PAIR', '10/0.000', /burst\/seconds/],
  ['THROTTLE_LOGIN_PAIR', 'off', /burst\/seconds/],
  ['HASH_THREADS', '0', /from 1 to 256/],
  ['METRICS_PORT', '3000', /must not be PORT/],
  ['SECRET_KEYS', 'k1:c2hvcnQ', /less than 32 bytes/],
  ['SECRET_KEYS', `k1:${Buffer.alloc(32, 7).toString('base64url')}`, /not random/],
  ['SECRET_KEYS', `k1:change-me-${key}`, /placeholder/],
  ['SECRET_KEYS', `k1:${key},k1:${key}`, /same kid twice/],
  ['SECRET_KEYS', key, /kid:base64url/],
  ['SECRET_KEYS', `K1:${key}`, /kid:base64url/],
  ['SECRET_KEYS', ['a', 'b', 'c', 'd'].map((kid) => `${kid}:${key}`).join(), /one to three/]
]
for (const [name, value, says] of wrong) {
  t.test(
    `${name}=${value.slice(0, 30)} is rejected by name, without repeating the value`,
    async (t) => {
      const problems = problemsOf({ ...production, [name]: value })
      t.equal(problems.length, 1)
      t.match(problems[0], says)
      t.ok(problems[0]?.startsWith(`${name} `))
      t.notOk(problems[0]?.includes(value) && value.length > 4)
    }
  )
}

t.test('a loopback origin may use http, and proxies are addresses or ranges', async (t) => {
  t.same(
    problemsOf({
      ...production,
      PUBLIC_ORIGIN: 'http://localhost:3000',
      TRUST_PROXY: '10.0.0.0/8, ::1'
    }),
    []
  )
})

t.test('a secret can come from a file, but not also from its variable', async (t) => {
  const file = path.join(temporaryFolder(t), 'keys')
  writeFileSync(file, `k2:${key}\n`)
  const { SECRET_KEYS: _, ...rest } = production
  t.match(loadConfig({ ...rest, SECRET_KEYS_FILE: file }).SECRET_KEYS, [{ kid: 'k2' }])
  t.match(problemsOf({ ...production, SECRET_KEYS_FILE: file }), [/both set/])
  t.match(problemsOf({ ...rest, SECRET_KEYS_FILE: '/nowhere' }), [/cannot be read/])
})

t.test('lists and limits are parsed', async (t) => {
  t.match(
    loadConfig({
      ...production,
      CORS_ORIGINS: 'https://app.example.com, https://www.example.com:8443',
      ALLOWED_HOSTS: 'portal.internal,[::1]',
      THROTTLE_REGISTER: '3/0.5'
    }),
    {
      CORS_ORIGINS: ['https://app.example.com', 'https://www.example.com:8443'],
      ALLOWED_HOSTS: ['portal.internal', '[::1]'],
      THROTTLE_REGISTER: { burst: 3, seconds: 0.5 }
    }
  )
  t.match(
    loadConfig({ ...development, THROTTLE_REGISTER: '3/5' }).THROTTLE_REGISTER,
    { burst: 3, seconds: 5 },
    'what is set counts as it is, in development too'
  )
})
