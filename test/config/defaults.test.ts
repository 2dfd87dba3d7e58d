import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import {
  loadConfig,
  loadDatabaseConfig,
  loadKeyedConfig,
  loadOperatorConfig
} from '../../src/config/config.ts'
import { temporaryFolder } from '../support/app.ts'
import { development, key, problemsOf, production } from './environments.ts'

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
    MACHINE_ADMIN: 'off',
    WEBHOOK_NETWORKS: [],
    THROTTLE_LOGIN_PAIR: { burst: 10, seconds: 30 },
    THROTTLE_LOGIN_SOURCE: { burst: 50, seconds: 5 },
    THROTTLE_LOGIN_ACCOUNT: { burst: 30, seconds: 120 },
    THROTTLE_LOGIN_DEVICE: { burst: 10, seconds: 30 },
    THROTTLE_REGISTER: { burst: 20, seconds: 60 },
    THROTTLE_PASSWORD: { burst: 10, seconds: 60 },
    THROTTLE_EXPORT: { burst: 3, seconds: 3600 },
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
    THROTTLE_EXPORT: { burst: 30, seconds: 360 },
    THROTTLE_WRITES: { burst: 600, seconds: 0.1 }
  })
  t.equal(loadConfig({ ...development, PORT: '8080' }).PUBLIC_ORIGIN, 'http://localhost:8080')
  t.match(loadConfig({ ...development, HOST: '0.0.0.0' }).warnings, [/^HOST /])
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

t.test('in development commands print links to the address of the server', async (t) => {
  const { ACCOUNT_URL } = loadOperatorConfig({ ...development, PORT: '4000' })
  t.equal(ACCOUNT_URL, 'http://localhost:4000/account')
})
