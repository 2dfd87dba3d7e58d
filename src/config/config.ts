import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Database } from '../../db/client.ts'
import type { DatabaseOptions } from '../../db/engine.ts'
import type { LoadedApp } from '../base/load.ts'
import { isLocal, parseServerUrl, serverUrlProblem } from '../../db/url.ts'
import { randomText } from '../domain/crypto.ts'
import type { Provider } from '../domain/providers/provider.ts'
import type { SettingsSchemas } from '../common/settings.ts'
import type { Budget } from '../domain/throttling/budgets.ts'
import { pageProblems } from './account-pages.ts'
import { addressProblems, list } from './addresses.ts'
import { parseBudgets } from './budget-variables.ts'
import type { BudgetName } from './budget-variables.ts'
import { developmentKeys, exampleProviders } from './development-files.ts'
import { readEnvironment, withDefaults } from './read-environment.ts'
import type { Variables } from './read-environment.ts'
import { keyListProblem, parseKeyList } from './keys.ts'
import type { Key } from './keys.ts'
import { mailProblems } from './mail.ts'
import { rpIdProblem } from './passkeys.ts'
import { readProviders } from './providers.ts'
import { readSettingsSchemas } from './settings-schema.ts'
import { environment, portProblems } from './variables.ts'
import type { Environment } from './variables.ts'

/** One problem for each invalid variable: its name and what it must be, never its value. */
function problemsOf(values: Environment): string[] {
  const development = values.NODE_ENV === 'development'
  const corsOrigins = list(values.CORS_ORIGINS)
  const found = new Map(schemaProblems(values))
  const check = (name: keyof Environment, problem: string | undefined) => {
    if (problem !== undefined && !found.has(name)) found.set(name, problem)
  }
  for (const [name, problem] of addressProblems(values, development)) check(name, problem)
  // Invalid origins are reported for their own variables only.
  const badOrigin = found.has('PUBLIC_ORIGIN') || found.has('CORS_ORIGINS')
  if (values.PASSKEY_RP_ID !== undefined && !badOrigin) {
    const origins = [values.PUBLIC_ORIGIN, ...corsOrigins]
    check('PASSKEY_RP_ID', rpIdProblem(values.PASSKEY_RP_ID, origins))
  }
  for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL'] as const) {
    if (isServerUrl(values[name])) check(name, serverUrlProblem(values[name]))
  }
  if (values.SESSION_IDLE_SECONDS > values.SESSION_ABSOLUTE_SECONDS) {
    check('SESSION_IDLE_SECONDS', 'must not be longer than SESSION_ABSOLUTE_SECONDS')
  }
  for (const [name, problem] of portProblems(values)) check(name, problem)
  check('SECRET_KEYS', keyListProblem(values.SECRET_KEYS))
  for (const [name, problem] of mailProblems(values, corsOrigins)) check(name, problem)
  for (const [name, problem] of pageProblems(values, corsOrigins, development)) check(name, problem)
  return [...found].map(([name, problem]) => `${name} ${problem}`)
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
  return `is not valid: ${schema.description}`
}

function warningsOf(values: Environment, env: Variables): string[] {
  const found: string[] = []
  const remote = isServerUrl(values.DATABASE_URL)
    ? unverifiedHost(values.DATABASE_URL, env)
    : undefined
  if (remote !== undefined) {
    found.push(
      `${remote} names another machine without sslmode=verify-full: the connection can be ` +
        'intercepted or redirected'
    )
  }
  if (values.NODE_ENV === 'development' && isServerUrl(values.DATABASE_URL)) {
    const name = remoteHost(values.DATABASE_URL, env)
    if (name !== undefined) {
      found.push(
        `${name} names another machine, and this is development: anyone who signs in with the ` +
          'right role can administer its users. To look at production, use portal console'
      )
    }
  }
  const proxy = ['HTTPS_PROXY', 'https_proxy'].find((name) => env[name])
  if (proxy !== undefined && !(env.NODE_USE_ENV_PROXY === '1' && knowsProxies())) {
    found.push(
      `${proxy} is not used: providers are called directly. Set NODE_USE_ENV_PROXY=1 for the ` +
        'process, with Node 22.21, 24 or newer'
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

/** Whether NODE_USE_ENV_PROXY has an effect: https://nodejs.org/api/cli.html */
export function knowsProxies(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 21)
}

/**
 * The variable that names another machine whose certificate is not verified. For a URL without a
 * host or an sslmode, the driver reads PGHOST and PGSSL.
 */
function unverifiedHost(url: string, env: Variables) {
  const { sslmode = env.PGSSL } = parseServerUrl(url)
  return sslmode === 'verify-full' ? undefined : remoteHost(url, env)
}

/** The variable that names another machine. */
function remoteHost(url: string, { PGHOST = '' }: Variables) {
  const { hosts } = parseServerUrl(url)
  if (hosts.length > 0) {
    return hosts.some(({ name }) => !isLocal(name)) ? 'DATABASE_URL' : undefined
  }
  if (PGHOST.includes('/')) return undefined // the folder of a socket
  const names = PGHOST.split(',').map((host) => host.split(':')[0] ?? '')
  return names.some((name) => !isLocal(name)) ? 'PGHOST' : undefined
}

const isServerUrl = (url: string | undefined): url is string =>
  url !== undefined && !url.startsWith('pglite:')

const lists = [
  'ASSERTION_AUDIENCES',
  'CORS_ORIGINS',
  'CORS_HEADERS',
  'ALLOWED_HOSTS',
  'TRUST_PROXY',
  'WEBHOOK_NETWORKS'
] as const
type Lists = (typeof lists)[number]

export interface Config
  extends
    Omit<Environment, 'SECRET_KEYS' | Lists | BudgetName>,
    Record<Lists, string[]>,
    Record<BudgetName, Budget> {
  SECRET_KEYS: Key[]
  development: boolean
  /** The providers of PROVIDERS, with their secrets. */
  providers: Provider[]
  /** The schemas of SETTINGS_SCHEMA. */
  settingsSchemas: SettingsSchemas | undefined
  /** Valid settings that deserve a warning in the log. */
  warnings: string[]
}

/** Lists every invalid variable and what it must be, never a value. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const lines = problems.map((problem) => `  ${problem}`).join('\n')
    super(`The configuration is not valid:\n${lines}`)
    this.problems = problems
  }
}

/** Variables that only a server needs. Commands run without them. */
type Need = 'PUBLIC_ORIGIN' | 'SECRET_KEYS' | 'PROVIDERS' | 'SETTINGS_SCHEMA'

/**
 * Reads the whole configuration. In development without SECRET_KEYS, a key is generated and kept in
 * `.data/`.
 * @param needs the variables that must have the value of the server
 * @throws ConfigError with all problems
 */
export function loadConfig(
  env: Variables = process.env,
  needs: readonly Need[] = ['PUBLIC_ORIGIN', 'SECRET_KEYS', 'PROVIDERS', 'SETTINGS_SCHEMA']
): Config {
  const fileProblems: string[] = []
  const given = readEnvironment(env, fileProblems)
  const isDerived = needs.includes('PUBLIC_ORIGIN') || given.NODE_ENV === 'development'
  if (!isDerived && given.PUBLIC_ORIGIN === undefined) {
    given.PUBLIC_ORIGIN = originOf(given.ACCOUNT_URL)
    // Only checked against the origin of the server, or derived from it.
    for (const name of ['PASSKEY_RP_ID', 'APP_URL', 'ACCOUNT_PAGES']) delete given[name]
  }
  if (!needs.includes('SECRET_KEYS')) given.SECRET_KEYS ??= `unused:${randomText()}`
  if (!needs.includes('PROVIDERS')) delete given.PROVIDERS
  if (!needs.includes('SETTINGS_SCHEMA')) delete given.SETTINGS_SCHEMA
  const values = withDefaults(given)
  const development = values.NODE_ENV === 'development'
  const problems = [...fileProblems, ...problemsOf(values)]
  const providers =
    values.PROVIDERS !== undefined
      ? readProviders(values.PROVIDERS, development, problems)
      : development
        ? exampleProviders(values)
        : []
  const settingsSchemas =
    values.SETTINGS_SCHEMA === undefined
      ? undefined
      : readSettingsSchemas(values.SETTINGS_SCHEMA, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    ...values,
    SECRET_KEYS: parseKeyList(values.SECRET_KEYS ?? developmentKeys()),
    ...parseBudgets(values),
    ...(Object.fromEntries(lists.map((name) => [name, list(values[name])])) as Record<
      Lists,
      string[]
    >),
    development,
    providers,
    settingsSchemas,
    warnings: warningsOf(values, env)
  }
}

/** ACCOUNT_URL is checked against PUBLIC_ORIGIN, also where only links need it. */
const originOf = (url = '') => (URL.canParse(url) ? new URL(url).origin : 'http://localhost')

/** For a command, which neither listens nor signs. */
export const loadOperatorConfig = (env?: Variables) => loadConfig(env, [])

/** For a command that needs the SECRET_KEYS of the server to find data derived from them. */
export const loadKeyedConfig = (env?: Variables) => loadConfig(env, ['SECRET_KEYS'])

/** For a command that sends mail itself: mail names the host of PUBLIC_ORIGIN. */
export const loadSenderConfig = (env?: Variables) => loadConfig(env, ['PUBLIC_ORIGIN'])

/** For a command about providers, whose secrets it reads. */
export const loadProviderConfig = (env?: Variables) =>
  loadConfig(env, ['PUBLIC_ORIGIN', 'PROVIDERS'])

/** For a command about the settings of the app. */
export const loadSettingsConfig = (env?: Variables) => loadConfig(env, ['SETTINGS_SCHEMA'])

/** The file of SETTINGS_SCHEMA, for a command that needs nothing else. */
export const settingsSchemaFile = () => process.env.SETTINGS_SCHEMA

/** The folder of APP, for a command that needs nothing else. */
export const ownAppFolder = () => process.env.APP

/** The providers alone, for a command that neither listens nor asks one of them. */
export const loadProviders = (env?: Variables) => loadConfig(env, ['PROVIDERS']).providers

/** Reads the variables of the database only, so that others may be invalid. */
export const loadDatabaseConfig = (env: Variables = process.env) =>
  loadOperatorConfig(
    Object.fromEntries(
      Object.entries(env).filter(([name]) =>
        /^(NODE_ENV|PGHOST|PGSSL|(MIGRATION_)?DATABASE_.*)$/.test(name)
      )
    )
  )

/** Nothing of `src/base` is loaded without an app. Throws AppError. */
export const loadOwnApp = async (folder?: string): Promise<LoadedApp | undefined> =>
  folder === undefined ? undefined : (await import('../base/load.ts')).loadApp(folder)

/** The database with the migrations of the app as well. Throws AppError. */
export const withMigrationsOf = async (ownApp: LoadedApp | undefined, database: Database) =>
  ownApp?.migrations === undefined
    ? database
    : (await import('../base/migrations.ts')).withMigrations(database, ownApp.migrations)

/** Whether an error names mistakes of an app. Its class is not loaded without one. */
export const isAppError = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'AppError'

export const databaseOptions = (config: Config): DatabaseOptions => ({
  poolMax: config.DATABASE_POOL_MAX,
  prepare: config.DATABASE_PREPARE,
  ...(config.MIGRATION_DATABASE_URL && { migrationUrl: config.MIGRATION_DATABASE_URL })
})
