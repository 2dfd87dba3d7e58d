import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { defaultBudgets, parseBudget } from '../../src/config/budgets.ts'
import {
  ConfigError,
  loadConfig,
  loadDatabaseConfig,
  loadKeyedConfig,
  loadOperatorConfig
} from '../../src/config/config.ts'
import { environment } from '../../src/config/variables.ts'
import { temporaryFolder } from '../helpers.ts'
import { root } from '../root.ts'

const key = randomBytes(32).toString('base64url')
const production = {
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: 'https://portal.example.com',
  DATABASE_URL: 'postgres://portal@db.example.com/portal?sslmode=verify-full',
  SECRET_KEYS: `k1:${key}`
}
const development = { NODE_ENV: 'development', SECRET_KEYS: `k1:${key}` }

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

t.test(
  'production, the mode without a valid NODE_ENV, lists all missing variables at once',
  async (t) => {
    for (const env of [
      {},
      { NODE_ENV: 'staging' },
      { NODE_ENV: 'Development' },
      { NODE_ENV: 'production' },
      { NODE_ENV: '' }
    ]) {
      t.same(
        problemsOf(env).map((problem) => problem.split(' ')[0]),
        ['PUBLIC_ORIGIN', 'DATABASE_URL', 'SECRET_KEYS']
      )
    }
  }
)

t.test('a minimal production configuration has the documented defaults', async (t) => {
  t.match(loadConfig(production), {
    development: false,
    HOST: '0.0.0.0',
    PORT: 3000,
    MIGRATE_ON_START: false,
    SESSION_IDLE_SECONDS: 86_400,
    SESSION_ABSOLUTE_SECONDS: 604_800,
    SESSION_MAX_PER_USER: 20,
    PASSWORD_MIN_LENGTH: 8,
    BCRYPT_COST: 12,
    REGISTRATION: 'open',
    SHUTDOWN_DELAY_SECONDS: 5,
    CORS_ORIGINS: [],
    ALLOWED_HOSTS: [],
    TRUST_PROXY: [],
    THROTTLE_LOGIN_PAIR: { burst: 10, seconds: 30 },
    THROTTLE_LOGIN_SOURCE: { burst: 50, seconds: 5 },
    THROTTLE_LOGIN_ACCOUNT: { burst: 30, seconds: 120 },
    THROTTLE_LOGIN_DEVICE: { burst: 10, seconds: 30 },
    THROTTLE_REGISTER: { burst: 20, seconds: 60 },
    THROTTLE_PASSWORD: { burst: 10, seconds: 60 },
    THROTTLE_WRITES: { burst: 60, seconds: 1 },
    SECRET_KEYS: [{ kid: 'k1' }],
    warnings: []
  })
  t.equal(loadConfig({ ...production, DATABASE_URL: 'pglite:/data' }).MIGRATE_ON_START, true)
})

t.test('development needs no variables and listens on this machine only', async (t) => {
  t.match(loadConfig(development), {
    development: true,
    HOST: '127.0.0.1',
    PUBLIC_ORIGIN: 'http://localhost:3000',
    DATABASE_URL: 'pglite:.data/portal',
    MIGRATE_ON_START: true,
    SHUTDOWN_DELAY_SECONDS: 0,
    THROTTLE_LOGIN_PAIR: { burst: 100, seconds: 3 },
    THROTTLE_WRITES: { burst: 600, seconds: 0.1 }
  })
  t.equal(loadConfig({ ...development, PORT: '8080' }).PUBLIC_ORIGIN, 'http://localhost:8080')
  t.match(loadConfig({ ...development, HOST: '0.0.0.0' }).warnings, [/^HOST /])
})

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
  ['DATABASE_URL', 'mysql://x', /postgres:\/\/… or pglite:DIRECTORY/],
  ['DATABASE_URL', 'postgres://u:12/Secret@host/db', /percent-encoded/],
  ['DATABASE_URL', 'postgres://u:Secret@host:port/db', /percent-encoded/],
  ['DATABASE_URL', 'postgres://u:%zz@host/db', /write %25/],
  ['DATABASE_URL', 'postgres://u@db-a,db-b/db', /add target_session_attrs=primary/],
  ['DATABASE_URL', 'postgres://u@db-a/db?target_session_attrs=any', /target_session_attrs=primary/],
  ['MIGRATION_DATABASE_URL', 'postgres://u:12/Secret@host/db', /percent-encoded/],
  ['PUBLIC_ORIGIN', 'http://portal.example.com', /must be https/],
  ['PUBLIC_ORIGIN', 'https://portal.example.com/', /without a path/],
  ['PUBLIC_ORIGIN', 'portal.example.com', /must be an origin/],
  ['TRUST_PROXY', 'true', /CIDR/],
  ['TRUST_PROXY', '1', /CIDR/],
  ['TRUST_PROXY', '0.0.0.0/0', /CIDR/],
  ['TRUST_PROXY', '10.0.0.0/33', /CIDR/],
  ['TRUST_PROXY', '::/0', /CIDR/],
  ['TRUST_PROXY', 'loopback', /CIDR/],
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

t.test('valid but risky settings are warnings', async (t) => {
  t.match(
    loadConfig({
      ...production,
      DATABASE_URL: 'postgres://portal@db.example.com/portal',
      LOG_LEVEL: 'debug'
    }).warnings,
    [/^DATABASE_URL .*verify-full/, /^LOG_LEVEL /]
  )
  const hosts = (names: string) =>
    loadConfig({
      ...production,
      DATABASE_URL: `postgres://portal@${names}/portal?target_session_attrs=primary`
    }).warnings
  t.same(hosts('localhost,[::1]:5433,127.0.0.2'), [])
  t.match(hosts('localhost,db.example.com'), [/^DATABASE_URL .*verify-full/])
})

t.test('a remote PGHOST is a warning when the URL has no host', async (t) => {
  const warnings = (env: Record<string, string>, url = 'postgres:///portal') =>
    loadConfig({ ...production, DATABASE_URL: url, ...env }).warnings
  for (const PGHOST of ['db.example.com', 'localhost,10.0.0.7:5433']) {
    t.match(warnings({ PGHOST }), [/^PGHOST .*verify-full/], PGHOST)
    t.same(warnings({ PGHOST, PGSSL: 'verify-full' }), [])
    t.same(warnings({ PGHOST }, 'postgres:///portal?sslmode=verify-full'), [])
    t.same(warnings({ PGHOST }, 'postgres://localhost/portal'), [], 'the URL has a host')
    t.same(warnings({ PGHOST }, 'pglite:data'), [])
  }
  for (const PGHOST of ['', 'localhost', '127.0.0.1:5433', '/run/postgresql']) {
    t.same(warnings({ PGHOST }), [], PGHOST)
  }
})

t.test('a command needs neither an origin nor keys, but reads those that are set', async (t) => {
  const { DATABASE_URL } = production
  t.match(loadOperatorConfig({ DATABASE_URL }), { DATABASE_URL, development: false })
  t.throws(() => loadOperatorConfig({ DATABASE_URL, SECRET_KEYS: 'x' }), /SECRET_KEYS must/)
  t.throws(() => loadKeyedConfig({ DATABASE_URL }), /SECRET_KEYS is not set/)
  t.match(loadKeyedConfig({ DATABASE_URL, SECRET_KEYS: `k2:${key}` }).SECRET_KEYS, [{ kid: 'k2' }])
  const file = path.join(temporaryFolder(t), 'keys')
  writeFileSync(file, `k3:${key}`)
  t.match(loadOperatorConfig({ DATABASE_URL, SECRET_KEYS_FILE: file }).SECRET_KEYS, [{ kid: 'k3' }])
  t.throws(() => loadOperatorConfig({ DATABASE_URL, PORT: 'x' }), /PORT must/)
  t.match(loadDatabaseConfig({ DATABASE_URL, PORT: 'x', SECRET_KEYS: 'x' }), { DATABASE_URL })
})

t.test(
  'the table of variables and .env.example name exactly the variables that are read',
  async (t) => {
    const names = Object.keys(environment.properties)
    const table = readFileSync(path.join(root, 'docs/configuration.md'), 'utf8')
    t.same(
      [...table.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]).sort(),
      [...names].sort()
    )
    const example = readFileSync(path.join(root, '.env.example'), 'utf8')
    t.same(
      [...example.matchAll(/^#?([A-Z_]+)=/gm)].map((match) => match[1]).sort(),
      [...names].sort()
    )
  }
)

t.test('the documents and .env.example show the default of each rate limit', async (t) => {
  const [table = '', promises = '', example = ''] = [
    'docs/configuration.md',
    'docs/security.md',
    '.env.example'
  ].map((file) => readFileSync(path.join(root, file), 'utf8'))
  for (const [name, text] of Object.entries(defaultBudgets(false))) {
    const { burst, seconds } = parseBudget(text)
    const pace = seconds === 1 ? 'one a second' : `one every ${seconds} s`
    t.ok(table.includes(`| \`${name}\` | \`${text}\` |`), `docs/configuration.md: ${name}`)
    t.ok(example.includes(`\n#${name}=${text}\n`), `.env.example: ${name}`)
    const row = promises.split('\n').find((line) => line.includes(`| \`${name}\` |`))
    t.ok(row?.includes(`| ${burst}, then ${pace}`), `docs/security.md: ${name}`)
  }
})
