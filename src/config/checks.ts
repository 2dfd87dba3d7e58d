import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isLocal, parseServerUrl, serverUrlProblem } from '../../db/url.ts'
import { pageProblems } from './account-pages.ts'
import { hostListProblem, originListProblem, originProblem, proxyListProblem } from './addresses.ts'
import type { Variables } from './given.ts'
import { keyListProblem } from './keys.ts'
import { mailProblems } from './mail.ts'
import { rpIdProblem } from './passkeys.ts'
import { environment } from './variables.ts'
import type { Environment } from './variables.ts'

/** One problem for each invalid variable: its name and what it must be, never its value. */
export function problemsOf(values: Environment): string[] {
  const development = values.NODE_ENV === 'development'
  const corsOrigins = list(values.CORS_ORIGINS)
  const found = new Map(schemaProblems(values))
  const check = (name: keyof Environment, problem: string | undefined) => {
    if (problem !== undefined && !found.has(name)) found.set(name, problem)
  }
  check('PUBLIC_ORIGIN', originProblem(values.PUBLIC_ORIGIN, development))
  check('CORS_ORIGINS', originListProblem(corsOrigins, development))
  // Invalid origins are reported for their own variables only.
  const badOrigin = found.has('PUBLIC_ORIGIN') || found.has('CORS_ORIGINS')
  if (values.PASSKEY_RP_ID !== undefined && !badOrigin) {
    const origins = [values.PUBLIC_ORIGIN, ...corsOrigins]
    check('PASSKEY_RP_ID', rpIdProblem(values.PASSKEY_RP_ID, origins))
  }
  check('ALLOWED_HOSTS', hostListProblem(list(values.ALLOWED_HOSTS)))
  check('TRUST_PROXY', proxyListProblem(values.TRUST_PROXY))
  for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL'] as const) {
    if (isServerUrl(values[name])) check(name, serverUrlProblem(values[name]))
  }
  if (values.SESSION_IDLE_SECONDS > values.SESSION_ABSOLUTE_SECONDS) {
    check('SESSION_IDLE_SECONDS', 'must not be longer than SESSION_ABSOLUTE_SECONDS')
  }
  if (values.METRICS_PORT === values.PORT) check('METRICS_PORT', 'must not be PORT')
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

export function warningsOf(values: Environment, env: Variables): string[] {
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

/** The items of a list that is separated by commas. */
export const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
