import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { DatabaseOptions } from '../../db/engine.ts'
import { isLocal, parseServerUrl, serverUrlProblem } from '../../db/url.ts'
import { keyListProblem, parseKeyList } from './keys.ts'
import type { Key } from './keys.ts'
import { hostListProblem, originListProblem, originProblem, proxyListProblem } from './addresses.ts'
import { budgetVariables, defaultBudgets, parseBudgets } from './budgets.ts'
import type { BudgetName } from './budgets.ts'
import { developmentKeys } from './development-files.ts'
import { randomText } from '../domain/crypto.ts'
import type { Budget } from '../domain/throttling/budgets.ts'

const modes = ['development', 'production'] as const
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const secrets = ['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'SECRET_KEYS'] as const

const word = <const T extends readonly string[]>(
  words: T,
  options: { default: T[number]; description: string }
) =>
  Type.Unsafe<T[number]>(
    Type.Union(
      words.map((each) => Type.Literal(each)),
      options
    )
  )
const seconds = (minimum: number, maximum: number, fallback: number, description: string) =>
  Type.Integer({ minimum, maximum, default: fallback, description })

/** Every variable that the portal reads. Defaults that depend on the mode are in `byMode`. */
export const environment = Type.Object({
  NODE_ENV: word(modes, {
    default: 'production',
    description: 'development adds the admin API, /docs and convenient defaults'
  }),
  HOST: Type.String({ description: 'Address to listen on' }),
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65535,
    default: 3000,
    description: 'Port to listen on; 0 selects a free port'
  }),
  PUBLIC_ORIGIN: Type.String({
    description: 'Origin at which browsers reach the portal, such as https://portal.example.com'
  }),
  CORS_ORIGINS: Type.String({
    default: '',
    description: 'Origins of single-page apps on other hosts, separated by commas'
  }),
  ALLOWED_HOSTS: Type.String({
    default: '',
    description:
      'Host names that the portal serves besides the host of PUBLIC_ORIGIN, separated by commas'
  }),
  TRUST_PROXY: Type.String({
    default: '',
    description: 'Addresses and CIDR ranges of the proxies in front, separated by commas'
  }),
  DATABASE_URL: Type.String({
    pattern: '^(postgres(ql)?://|pglite:).',
    description: 'postgres://… or pglite:DIRECTORY'
  }),
  DATABASE_POOL_MAX: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 10,
    description: 'Maximum number of connections to PostgreSQL, besides two for session checks'
  }),
  DATABASE_PREPARE: Type.Boolean({
    default: true,
    description:
      'Whether to use prepared statements; set false behind a pooler without support for them'
  }),
  MIGRATE_ON_START: Type.Boolean({
    description: 'Whether to migrate the database before serving requests'
  }),
  MIGRATION_DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://.',
      description: 'Direct connection for migrations, with a role that may change the schema'
    })
  ),
  SECRET_KEYS: Type.String({
    description:
      'kid:base64url,… one to three keys of at least 32 bytes; the first signs, all verify'
  }),
  SESSION_IDLE_SECONDS: seconds(
    300,
    2_592_000,
    86_400,
    'Seconds without a request after which a session ends'
  ),
  SESSION_ABSOLUTE_SECONDS: seconds(
    900,
    2_592_000,
    604_800,
    'Seconds after sign-in at which a session ends'
  ),
  SESSION_MAX_PER_USER: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 20,
    description: 'Maximum number of active sessions of a user; the oldest one ends'
  }),
  PASSWORD_MIN_LENGTH: Type.Integer({
    minimum: 8,
    maximum: 64,
    default: 8,
    description:
      'Minimum length of a new password; NIST SP 800-63B-4 requires 15 without a second factor'
  }),
  BCRYPT_COST: Type.Integer({
    minimum: 10,
    maximum: 15,
    default: 12,
    description: 'Work factor of new password hashes'
  }),
  REGISTRATION: word(['open', 'closed'], {
    default: 'open',
    description: 'Whether visitors can register an account'
  }),
  ...budgetVariables,
  HASH_THREADS: Type.Integer({
    minimum: 1,
    maximum: 256,
    description: 'Number of concurrent password hashes; at most the cores that the instance may use'
  }),
  ACTIVITY_RETENTION_DAYS: Type.Integer({
    minimum: 1,
    maximum: 3650,
    default: 180,
    description: 'Activity records older than this are deleted'
  }),
  LOG_LEVEL: word(logLevels, {
    default: 'info',
    description: 'Lowest level of the log entries that are written'
  }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65535,
      description: 'Port on HOST that serves /metrics for Prometheus; not set means no metrics'
    })
  ),
  SHUTDOWN_DELAY_SECONDS: seconds(
    0,
    300,
    5,
    'Seconds during which /health returns 503 before the server closes'
  )
})

type Environment = Static<typeof environment>

type Lists = 'CORS_ORIGINS' | 'ALLOWED_HOSTS' | 'TRUST_PROXY'

export interface Config
  extends
    Omit<Environment, 'SECRET_KEYS' | Lists | BudgetName>,
    Record<Lists, string[]>,
    Record<BudgetName, Budget> {
  SECRET_KEYS: Key[]
  development: boolean
  /** Valid settings that deserve a warning in the log. */
  warnings: string[]
}

/** Lists every invalid variable and what it must be, never a value. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const lines = problems.map((problem) => `  ${problem}`).join('\n')
    super(`The portal cannot start with this configuration:\n${lines}`)
    this.problems = problems
  }
}

/**
 * Reads the whole configuration. Throws ConfigError with all problems. In development without
 * SECRET_KEYS, a key is generated and kept in `.data/`.
 */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = []
  const given = { ...readSecretFiles(env, problems), ...known(env) }
  const development = given.NODE_ENV === 'development'
  // An unset or unknown mode is production, so that the admin API stays off by default.
  if (!development) given.NODE_ENV = 'production'
  const values = Value.Default(environment, {
    ...byMode(development, given),
    ...typed(given)
  }) as Environment

  for (const [name, message] of schemaProblems(values)) problems.push(`${name} ${message}`)
  const check = (name: keyof Environment, problem: string | undefined) => {
    if (problem !== undefined && !problems.some((known) => known.startsWith(`${name} `))) {
      problems.push(`${name} ${problem}`)
    }
  }
  check('PUBLIC_ORIGIN', originProblem(values.PUBLIC_ORIGIN, development))
  check('CORS_ORIGINS', originListProblem(list(values.CORS_ORIGINS), development))
  check('ALLOWED_HOSTS', hostListProblem(list(values.ALLOWED_HOSTS)))
  check('TRUST_PROXY', proxyListProblem(values.TRUST_PROXY))
  for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL'] as const) {
    if (isServerUrl(values[name])) check(name, serverUrlProblem(values[name]))
  }
  check(
    'SESSION_IDLE_SECONDS',
    values.SESSION_IDLE_SECONDS > values.SESSION_ABSOLUTE_SECONDS
      ? 'must not be longer than SESSION_ABSOLUTE_SECONDS'
      : undefined
  )
  check('SECRET_KEYS', keyListProblem(values.SECRET_KEYS))
  if (problems.length > 0) throw new ConfigError(problems)

  return {
    ...values,
    SECRET_KEYS: parseKeyList(values.SECRET_KEYS ?? developmentKeys()),
    ...parseBudgets(values),
    CORS_ORIGINS: list(values.CORS_ORIGINS),
    ALLOWED_HOSTS: list(values.ALLOWED_HOSTS),
    TRUST_PROXY: list(values.TRUST_PROXY),
    development,
    warnings: warnings(values)
  }
}

/**
 * For the command line, which neither listens nor signs: variables only a server needs may be
 * missing.
 */
export const loadOperatorConfig = (env: Record<string, string | undefined> = process.env) =>
  loadConfig({
    PUBLIC_ORIGIN: 'http://localhost',
    SECRET_KEYS: `unused:${randomText()}`,
    ...known(env),
    ...Object.fromEntries(
      secrets.flatMap((name) =>
        env[`${name}_FILE`]
          ? [
              [`${name}_FILE`, env[`${name}_FILE`]],
              [name, env[name]]
            ]
          : []
      )
    )
  })

/** For a command that needs the SECRET_KEYS of the server to find data derived from them. */
export const loadKeyedConfig = (env: Record<string, string | undefined> = process.env) =>
  loadConfig({ PUBLIC_ORIGIN: 'http://localhost', ...env })

/** Reads the variables of the database only, so that others may be invalid. */
export const loadDatabaseConfig = (env: Record<string, string | undefined> = process.env) =>
  loadOperatorConfig(
    Object.fromEntries(
      Object.entries(env).filter(([name]) => /^(NODE_ENV|(MIGRATION_)?DATABASE_.*)$/.test(name))
    )
  )

/** The options of openDatabase. */
export const databaseOptions = (config: Config): DatabaseOptions => ({
  poolMax: config.DATABASE_POOL_MAX,
  prepare: config.DATABASE_PREPARE,
  ...(config.MIGRATION_DATABASE_URL && { migrationUrl: config.MIGRATION_DATABASE_URL })
})

/** The declared variables; empty ones count as not set. */
function known(env: Record<string, string | undefined>) {
  return Object.fromEntries(
    Object.keys(environment.properties).flatMap((name) => (env[name] ? [[name, env[name]]] : []))
  ) as Record<string, string>
}

/**
 * Parses plain integers and `true`/`false`; everything else stays a string for the schema to
 * reject.
 */
function typed(given: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      const { type } = environment.properties[name as keyof Environment] as TSchema
      if (type === 'integer' && /^\d{1,9}$/.test(text)) return [name, Number(text)]
      if (type === 'boolean' && /^(true|false)$/.test(text)) return [name, text === 'true']
      return [name, text]
    })
  )
}

/**
 * `NAME_FILE` is the path of a file with the value, which is how container platforms pass secrets.
 */
function readSecretFiles(env: Record<string, string | undefined>, problems: string[]) {
  const found: Record<string, string> = {}
  for (const name of secrets) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) problems.push(`${name}_FILE and ${name} are both set: keep one`)
    try {
      found[name] = readFileSync(file, 'utf8').trim()
      if (found[name] === '') problems.push(`${name}_FILE names an empty file`)
    } catch {
      problems.push(`${name}_FILE names a file that cannot be read`)
    }
  }
  return found
}

function byMode(development: boolean, given: Record<string, string>) {
  const database = given.DATABASE_URL ?? (development ? 'pglite:.data/portal' : undefined)
  return {
    ...defaultBudgets(development),
    HASH_THREADS: Math.min(availableParallelism(), 256),
    HOST: development ? '127.0.0.1' : '0.0.0.0',
    MIGRATE_ON_START: development || database?.startsWith('pglite:') === true,
    ...(database && { DATABASE_URL: database }),
    ...(development && { PUBLIC_ORIGIN: localOrigin(given.PORT), SHUTDOWN_DELAY_SECONDS: 0 })
  }
}

function localOrigin(port = '3000') {
  const origin = `http://localhost:${Number(port)}`
  // An invalid port is reported for PORT only.
  return URL.canParse(origin) ? new URL(origin).origin : 'http://localhost'
}

function* schemaProblems(values: Environment): Generator<[string, string]> {
  const seen = new Set<string>()
  for (const { path } of Value.Errors(environment, values)) {
    const name = path.slice(1).split('/')[0] ?? ''
    if (seen.has(name)) continue
    seen.add(name)
    if (
      name === 'SECRET_KEYS' &&
      values.SECRET_KEYS === undefined &&
      values.NODE_ENV === 'development'
    ) {
      continue
    }
    const declared = environment.properties[name as keyof Environment]
    const missing = (values as Record<string, unknown>)[name] === undefined
    yield [name, missing ? `is not set: ${declared.description}` : expected(declared)]
  }
}

function expected(schema: TSchema) {
  if (schema.anyOf) {
    return `must be one of ${schema.anyOf.map((each: TSchema) => each.const).join(', ')}`
  }
  if (schema.type === 'integer') {
    return `must be a whole number from ${schema.minimum} to ${schema.maximum}`
  }
  if (schema.type === 'boolean') return 'must be true or false'
  return `must be ${schema.description}`
}

function warnings(values: Environment) {
  const found: string[] = []
  const server = isServerUrl(values.DATABASE_URL) ? parseServerUrl(values.DATABASE_URL) : undefined
  const remote = server?.hosts.some(({ name }) => !isLocal(name))
  if (remote && server?.sslmode !== 'verify-full') {
    found.push(
      'DATABASE_URL names another machine without sslmode=verify-full: the connection can be ' +
        'intercepted or redirected'
    )
  }
  if (values.NODE_ENV === 'production' && /^(trace|debug)$/.test(values.LOG_LEVEL)) {
    found.push('LOG_LEVEL is debug or finer in production')
  }
  if (values.NODE_ENV === 'development' && !/^(localhost|127\.[\d.]+|::1)$/.test(values.HOST)) {
    found.push(
      'HOST exposes a development server to the network: development mode is meant for this ' +
        'machine only'
    )
  }
  return found
}

const isServerUrl = (url: string | undefined): url is string =>
  url !== undefined && !url.startsWith('pglite:')

const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
