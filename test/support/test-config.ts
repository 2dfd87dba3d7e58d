import { randomBytes } from 'node:crypto'
import { defaultBudgets, parseBudgets } from '../../src/config/budget-variables.ts'
import type { Config } from '../../src/config/config.ts'

export const rules = { idleSeconds: 86_400, absoluteSeconds: 604_800, maxPerUser: 20 }
export const budgets = parseBudgets(defaultBudgets(true))
const endless = { burst: 999_999, seconds: 0.001 }
/** All tests come from one address. */
export const noLimitsByAddress: Partial<Config> = {
  THROTTLE_LOGIN_SOURCE: endless,
  THROTTLE_REGISTER: endless,
  THROTTLE_MAIL_SOURCE: endless,
  THROTTLE_MAIL_TOTAL: endless,
  THROTTLE_MAIL_UNPROVED: endless,
  THROTTLE_MAIL_UNCONFIRMED: endless,
  THROTTLE_PROVIDER: endless,
  THROTTLE_UNKNOWN_KEYS: endless
}

/** The configuration of an application in development, with these changes. */
export const testConfig = (changes: Partial<Config> = {}): Config => ({
  NODE_ENV: changes.development === false ? 'production' : 'development',
  development: true,
  HOST: '127.0.0.1',
  PORT: 0,
  PUBLIC_ORIGIN: 'http://localhost:3000',
  ASSERTION_AUDIENCES: [],
  CORS_ORIGINS: [],
  CORS_HEADERS: [],
  ALLOWED_HOSTS: ['localhost', '127.0.0.1'], // the hosts of inject and of a listener on loopback
  TRUST_PROXY: [],
  WEBHOOK_NETWORKS: [],
  DATABASE_URL: 'pglite:memory',
  DATABASE_POOL_MAX: 5,
  DATABASE_PREPARE: true,
  MIGRATE_ON_START: false,
  SECRET_KEYS: [{ kid: 'test', secret: randomBytes(32) }],
  SESSION_IDLE_SECONDS: rules.idleSeconds,
  SESSION_ABSOLUTE_SECONDS: rules.absoluteSeconds,
  SESSION_MAX_PER_USER: rules.maxPerUser,
  PASSWORD_MIN_LENGTH: 8,
  BCRYPT_COST: 4,
  REGISTRATION: 'open',
  REGISTRATION_DOMAINS: '',
  PASSKEYS: 'on',
  MAIL_LOCALE: 'en',
  PRODUCT_NAME: 'portal',
  // loadConfig derives it like this.
  EMAIL_VERIFICATION: changes.development === false ? 'off' : 'optional',
  ...(changes.development !== false && { ACCOUNT_URL: 'http://localhost:3000/account' }),
  SIGN_IN_NOTICES: true,
  ACCOUNT_PAGES: changes.development === false ? 'off' : 'on',
  ...budgets,
  HASH_THREADS: 2,
  MACHINE_ADMIN: 'off',
  DELETION_GRACE_DAYS: 0,
  ACTIVITY_RETENTION_DAYS: 180,
  ACTIVITY_FORGET: false,
  LOG_LEVEL: 'silent',
  SHUTDOWN_DELAY_SECONDS: 0,
  providers: [],
  settingsSchemas: undefined,
  warnings: [],
  ...changes
})
