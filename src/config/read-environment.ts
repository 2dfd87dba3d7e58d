import { availableParallelism } from 'node:os'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { readText } from '../domain/text-files.ts'
import { pageDefaults } from './account-pages.ts'
import { defaultBudgets } from './budget-variables.ts'
import { mailDefaults } from './mail.ts'
import { environment } from './variables.ts'
import type { Environment } from './variables.ts'

export type Variables = Record<string, string | undefined>

/** Variables whose values are never shown, and can be in files. */
export const secrets = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'SECRET_KEYS',
  'MAIL_URL',
  'REGISTER_HOOK_SECRET'
] as const

/**
 * The declared variables, and the secrets that are in files. An empty variable counts as not set.
 * @param problems receives the problems of those files
 */
export function readEnvironment(env: Variables, problems: string[]) {
  const given = { ...readSecretFiles(env, problems), ...known(env) }
  // An unset or unknown mode is production, so that the admin API stays off by default.
  if (given.NODE_ENV !== 'development') given.NODE_ENV = 'production'
  return given
}

/** Values in the types of the schema, with defaults. They may still be invalid or missing. */
export const withDefaults = (given: Record<string, string>) =>
  Value.Default(environment, { ...byMode(given), ...typed(given) }) as Environment

function known(env: Variables) {
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
function readSecretFiles(env: Variables, problems: string[]) {
  const found: Record<string, string> = {}
  for (const name of secrets) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) problems.push(`${name}_FILE and ${name} are both set: keep one`)
    try {
      found[name] = readText(file).trim()
      if (found[name] === '') problems.push(`${name}_FILE names an empty file`)
    } catch (error) {
      problems.push(`${name}_FILE names a file that ${(error as Error).message}`)
    }
  }
  return found
}

function byMode(given: Record<string, string>) {
  const development = given.NODE_ENV === 'development'
  const database = given.DATABASE_URL ?? (development ? 'pglite:.data/portal' : undefined)
  const origin = given.PUBLIC_ORIGIN ?? (development ? localOrigin(given.PORT) : undefined)
  const hasPages = origin !== undefined && (development || given.ACCOUNT_PAGES === 'on')
  return {
    ...defaultBudgets(development),
    ...pageDefaults(development, origin),
    ...mailDefaults(
      development,
      given.MAIL_URL !== undefined,
      hasPages ? `${origin}/account` : undefined
    ),
    HASH_THREADS: Math.min(availableParallelism(), 256),
    HOST: development ? '127.0.0.1' : '0.0.0.0',
    MIGRATE_ON_START: development || database?.startsWith('pglite:') === true,
    ...(database && { DATABASE_URL: database }),
    ...(origin && { PUBLIC_ORIGIN: origin }),
    ...(development && { SHUTDOWN_DELAY_SECONDS: 0 })
  }
}

function localOrigin(port = '3000') {
  const origin = `http://localhost:${Number(port)}`
  // An invalid port is reported for PORT only.
  return URL.canParse(origin) ? new URL(origin).origin : 'http://localhost'
}
