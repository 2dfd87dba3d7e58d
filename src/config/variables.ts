import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { pageVariables } from './account-pages.ts'
import { budgetVariables } from './budget-variables.ts'
import { mailVariables } from './mail.ts'
import { integer, optionalText, word } from './variable-types.ts'

const modes = ['development', 'production'] as const
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const audienceForm = '[a-z0-9]+(-[a-z0-9]+)*'

/**
 * Every variable that the portal reads. Defaults that depend on the mode are in `byMode`.
 */
export const environment = Type.Object({
  NODE_ENV: word(modes, {
    default: 'production',
    description: 'development adds the admin API, /docs and convenient defaults',
    unset: '`production`'
  }),
  HOST: Type.String({ description: 'Address to listen on' }),
  PORT: integer(
    { minimum: 0, maximum: 65535, default: 3000 },
    'Port to listen on; 0 selects a free port'
  ),
  PUBLIC_ORIGIN: Type.String({
    description: 'Origin at which browsers reach the portal, such as https://portal.example.com',
    note: 'In production http only on loopback. Tokens contain it: a change signs everybody out',
    unset: '`http://localhost:PORT` in development'
  }),
  CORS_ORIGINS: Type.String({
    default: '',
    description: 'Origins of single-page apps on other hosts, separated by commas',
    note: '[Origins, hosts and proxies](#origins-hosts-and-proxies) explains it'
  }),
  CORS_HEADERS: Type.String({
    default: '',
    pattern: "^$|^ *[!#$%&'*+.^_`|~0-9A-Za-z-]+( *, *[!#$%&'*+.^_`|~0-9A-Za-z-]+)* *$",
    description:
      'Headers that pages of `CORS_ORIGINS` may send besides those of the portal, such as ' +
      '`traceparent`, separated by commas'
  }),
  ALLOWED_HOSTS: Type.String({
    default: '',
    description:
      'Host names that the portal serves besides the host of PUBLIC_ORIGIN, separated by commas',
    note: '[Origins, hosts and proxies](#origins-hosts-and-proxies) explains it'
  }),
  ASSERTION_AUDIENCES: Type.String({
    default: '',
    pattern: `^$|^ *${audienceForm}( *, *${audienceForm})* *$`,
    description:
      'Names of services that may ask for a signed assertion, separated by commas; lowercase ' +
      'letters, digits and hyphens',
    note: '[Assertions](../do/services.md#assertions) explains it'
  }),
  TRUST_PROXY: Type.String({
    default: '',
    description: 'Addresses and CIDR ranges of the proxies in front, separated by commas',
    note: '[Origins, hosts and proxies](#origins-hosts-and-proxies) explains it'
  }),
  DATABASE_URL: Type.String({
    pattern: '^(postgres(ql)?://|pglite:).',
    description: 'postgres://… or pglite:DIRECTORY',
    note: '[Several hosts](../do/database.md#failover) need `target_session_attrs=primary`'
  }),
  DATABASE_POOL_MAX: integer(
    { minimum: 1, maximum: 1000, default: 10 },
    'Maximum number of connections of an instance to PostgreSQL, besides two for session checks'
  ),
  DATABASE_PREPARE: Type.Boolean({
    default: true,
    description:
      'Whether to use prepared statements; set false behind a pooler without support for them'
  }),
  MIGRATE_ON_START: Type.Boolean({
    description: 'Whether to migrate the database before serving requests',
    unset: '`true` in development and on PGlite, else `false`'
  }),
  MIGRATION_DATABASE_URL: optionalText({
    pattern: '^postgres(ql)?://.',
    description:
      'postgres://… for migrations: a direct connection, with a role that may change the schema',
    unset: '`DATABASE_URL`'
  }),
  SECRET_KEYS: Type.String({
    description:
      'kid:base64url,… one to three keys of at least 32 bytes; the first signs, all verify',
    note: '[Secrets](#secrets) explains it',
    unset: 'generated and kept in `.data/` in development'
  }),
  SESSION_IDLE_SECONDS: integer(
    { minimum: 300, maximum: 2_592_000, default: 86_400 },
    'Seconds without a request after which a session ends; at most SESSION_ABSOLUTE_SECONDS'
  ),
  SESSION_ABSOLUTE_SECONDS: integer(
    { minimum: 900, maximum: 2_592_000, default: 604_800 },
    'Seconds after sign-in at which a session ends'
  ),
  SESSION_MAX_PER_USER: integer(
    { minimum: 1, maximum: 1000, default: 20 },
    'Maximum number of active sessions of a user; beyond it the oldest one ends'
  ),
  PASSWORD_MIN_LENGTH: integer(
    { minimum: 8, maximum: 64, default: 8 },
    'Minimum length of a new password; NIST SP 800-63B-4 requires 15 without a second factor'
  ),
  BCRYPT_COST: integer(
    { minimum: 10, maximum: 15, default: 12 },
    'Work factor of new password hashes'
  ),
  REGISTRATION: word(['open', 'closed'], {
    default: 'open',
    description: 'Whether visitors can register an account',
    note:
      'With `closed`, registrations that wait for confirmation cannot be confirmed either, until ' +
      'it is `open` again'
  }),
  SCOPES_SELF: optionalText({
    pattern: '^[a-z]{1,20}:[a-z0-9-]{1,50}(,[a-z]{1,20}:[a-z0-9-]{1,50})*$',
    description:
      'Kinds of scopes that users open themselves, each with the role that they get there, such ' +
      'as `project:owner`, separated by commas',
    unset: 'none'
  }),
  PASSKEYS: word(['on', 'off'], {
    default: 'on',
    description: 'Whether users can add passkeys and sign in with them',
    note: 'There are no [passkeys](../do/passkeys.md) while `PUBLIC_ORIGIN` is an IP address'
  }),
  PASSKEY_RP_ID: optionalText({
    description:
      'Host name that passkeys are created for: that of PUBLIC_ORIGIN, or a parent domain',
    note:
      'With apps on other hosts it must be a parent domain of all `CORS_ORIGINS` as well. ' +
      '[A change makes every passkey useless](../do/passkeys.md#choose-the-host-name)',
    unset: 'host of `PUBLIC_ORIGIN`'
  }),
  PROVIDERS: optionalText({
    description: 'File with the providers that users sign in with, in JSON',
    note: '[Sign-in with others](../do/sign-in-with-others.md) explains it',
    unset: 'no providers; in development `example`'
  }),
  SETTINGS_SCHEMA: optionalText({
    description: 'File with the schema of the settings that the app keeps for each user, in JSON',
    note: '[Settings of the app](../do/settings.md) explains it',
    unset: 'no settings'
  }),
  APP: optionalText({
    description: 'Folder of the app that is built on the portal',
    unset: 'no app'
  }),
  MACHINE_ADMIN: word(['on', 'off'], {
    default: 'off',
    description: 'Whether API keys can manage users, roles and flags',
    note: '[Commands](../do/let-other-systems-know.md#commands) explains it'
  }),
  MACHINE_LISTEN: optionalText({
    pattern:
      '^([1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d\\d|655[0-2]\\d|6553[0-5]|/.{1,90})$',
    description:
      'Port on HOST, or path of a Unix socket, where the commands of MACHINE_ADMIN are served ' +
      'instead of on PORT',
    unset: '`PORT` serves them'
  }),
  ...mailVariables,
  ...pageVariables,
  ...budgetVariables,
  HASH_THREADS: Type.Integer({
    minimum: 1,
    maximum: 256,
    description:
      'Number of concurrent password hashes; at most the cores that the instance may use',
    note: "Set it to the container's CPU limit when that is below the machine's number of cores",
    unset: "the machine's cores"
  }),
  DELETION_GRACE_DAYS: Type.Integer({
    minimum: 0,
    maximum: 90,
    default: 0,
    description:
      'Days in which users can restore an account that they delete; with 0 it is deleted at once',
    note: '[Delete an account](../do/accounts.md#delete-an-account) explains it'
  }),
  WEBHOOK_NETWORKS: Type.String({
    default: '',
    description:
      'Addresses and CIDR ranges that webhooks may be sent to although they are not public, ' +
      'separated by commas'
  }),
  ACTIVITY_RETENTION_DAYS: integer(
    { minimum: 1, maximum: 3650, default: 180 },
    'Activity records older than this are deleted'
  ),
  ACTIVITY_FORGET: Type.Boolean({
    default: false,
    description:
      'Whether the e-mail addresses of deleted users are removed from activity records, within ' +
      'an hour',
    note: 'Requires [`UPDATE` on `activity`](../do/database.md#two-roles)'
  }),
  LOG_LEVEL: word(logLevels, {
    default: 'info',
    description: 'Lowest level of the log entries that are written'
  }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65535,
      description:
        'Port on HOST that serves /metrics for Prometheus; without it, there is no /metrics',
      note: 'Do not expose [the metrics](../do/watch.md#metrics) to the internet'
    })
  ),
  SHUTDOWN_DELAY_SECONDS: integer(
    { minimum: 0, maximum: 300, default: 5 },
    'Seconds during which /health returns 503 before the server closes'
  )
})

export type Environment = Static<typeof environment>

/** The mistakes of variables that have ports. */
export function* portProblems({
  PORT,
  METRICS_PORT,
  MACHINE_LISTEN,
  MACHINE_ADMIN
}: Environment): Generator<[keyof Environment, string]> {
  if (METRICS_PORT === PORT) yield ['METRICS_PORT', 'must not be PORT']
  if (MACHINE_LISTEN === undefined) return
  if (MACHINE_ADMIN === 'off') yield ['MACHINE_LISTEN', 'needs MACHINE_ADMIN=on']
  if ([PORT, METRICS_PORT].includes(Number(MACHINE_LISTEN))) {
    yield ['MACHINE_LISTEN', 'must be neither PORT nor METRICS_PORT']
  }
}
