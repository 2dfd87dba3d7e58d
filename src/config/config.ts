import type { DatabaseOptions } from '../../db/engine.ts'
import { randomText } from '../domain/crypto.ts'
import type { Provider } from '../domain/providers/provider.ts'
import type { SettingsSchemas } from '../domain/settings/schema.ts'
import type { Budget } from '../domain/throttling/budgets.ts'
import { parseBudgets } from './budgets.ts'
import type { BudgetName } from './budgets.ts'
import { list, problemsOf, warningsOf } from './checks.ts'
import { developmentKeys } from './development-files.ts'
import { exampleProviders } from './example-provider.ts'
import { givenVariables, withDefaults } from './given.ts'
import type { Variables } from './given.ts'
import { parseKeyList } from './keys.ts'
import type { Key } from './keys.ts'
import { readProviders } from './providers.ts'
import { readSettingsSchemas } from './settings.ts'
import type { Environment } from './variables.ts'

type Lists =
  | 'ASSERTION_AUDIENCES'
  | 'CORS_ORIGINS'
  | 'CORS_HEADERS'
  | 'ALLOWED_HOSTS'
  | 'TRUST_PROXY'

export interface Config
  extends
    Omit<Environment, 'SECRET_KEYS' | Lists | BudgetName>,
    Record<Lists, string[]>,
    Record<BudgetName, Budget> {
  SECRET_KEYS: Key[]
  development: boolean
  /** Those of PROVIDERS, with their secrets. */
  providers: Provider[]
  /** Those of SETTINGS_SCHEMA. */
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
  const given = givenVariables(env, fileProblems)
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
    ASSERTION_AUDIENCES: list(values.ASSERTION_AUDIENCES),
    CORS_ORIGINS: list(values.CORS_ORIGINS),
    CORS_HEADERS: list(values.CORS_HEADERS),
    ALLOWED_HOSTS: list(values.ALLOWED_HOSTS),
    TRUST_PROXY: list(values.TRUST_PROXY),
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

/** Whether a variable is set, instead of having its default. */
export const isGiven = (name: keyof Environment) => Boolean(process.env[name])

export const databaseOptions = (config: Config): DatabaseOptions => ({
  poolMax: config.DATABASE_POOL_MAX,
  prepare: config.DATABASE_PREPARE,
  ...(config.MIGRATION_DATABASE_URL && { migrationUrl: config.MIGRATION_DATABASE_URL })
})
