import { isIPv6 } from 'node:net'

/** The parts of a postgres:// URL. The driver has defaults for missing ones (`PGUSER`, …). */
export interface ServerUrl {
  hosts: { name: string; port: number | undefined }[]
  user: string | undefined
  password: string | undefined
  database: string | undefined
  /** False, one of libpq's names, or undefined when the URL does not have it. */
  sslmode: string | false | undefined
  sslnegotiation: string | undefined
  /** Settings that are sent to the server when a connection begins. */
  settings: Record<string, string>
}

/** The message follows the name of a variable and never repeats the value. */
export class InvalidUrl extends Error {
  override name = 'InvalidUrl'
}

const form =
  'postgres://USER:PASSWORD@HOST:PORT/DATABASE, ' +
  'with everything but letters and digits in the password percent-encoded'
const sslmodes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']
/** The driver would insist on TLS with `allow`, which libpq does not. */
const drivers: Record<string, string | false> = { disable: false, allow: 'prefer' }
/** The portal has its own rules for these. */
const ignored = new Set(['connect_timeout', 'target_session_attrs', 'sslmode', 'sslnegotiation'])

/** Options of libpq or of the driver, which would otherwise be sent to the server as settings. */
const refused: [advice: string, names: string][] = [
  ['write sslmode instead', 'ssl'],
  [
    'name the file of the certificate authority in NODE_EXTRA_CA_CERTS instead',
    'sslrootcert sslcrl sslcrldir'
  ],
  [
    'the portal does not support client certificates; use a password',
    'sslcert sslkey sslpassword sslcertmode'
  ],
  [
    'write it before the host, as in postgres://USER:PASSWORD@HOST/DATABASE',
    'user username password pass'
  ],
  ['write it after the @, as in postgres://USER@HOST/DATABASE', 'host hostaddr hostname'],
  ['write it after the host, as in postgres://HOST:PORT/DATABASE', 'port'],
  ['write it after the host, as in postgres://HOST/DATABASE', 'dbname database db'],
  ['set DATABASE_PREPARE instead', 'prepare no_prepare'],
  ['set DATABASE_POOL_MAX instead', 'max'],
  ['remove it: the portal sets it', 'client_encoding datestyle'],
  [
    'remove it: the portal does not support it',
    `channel_binding gssencmode gsslib gssdelegation krbsrvname requirepeer require_auth
     sslcompression sslsni ssl_min_protocol_version ssl_max_protocol_version
     keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout
     load_balance_hosts passfile service fallback_application_name replication
     idle_timeout timeout max_lifetime max_pipeline backoff keep_alive debug fetch_types
     publications path pgbouncer connection_limit pool_timeout schema`
  ]
]

/**
 * Parses a PostgreSQL connection URL (libpq, 34.1.1.2). The parser of the URL standard would take
 * part of a password with an unencoded slash for the host.
 * @throws InvalidUrl
 */
export function parseServerUrl(url: string): ServerUrl {
  const [scheme, rest = ''] = url.split(/:\/\/(.*)/s)
  const parts =
    /^(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^@/?#]*)(?:\/([^@/?#]*))?(?:\?([^@#]*))?$/.exec(rest)
  if (!parts || !/^postgres(ql)?$/.test(scheme ?? '') || /\s/.test(url)) {
    throw new InvalidUrl(`must be ${form}`)
  }
  const [, user, password, hosts = '', database, query = ''] = parts
  decoded(query) // URLSearchParams accepts a % that does not begin an encoding
  const parameters = Object.fromEntries(new URLSearchParams(query))
  const { sslmode, sslnegotiation, target_session_attrs: target } = parameters
  if (sslmode !== undefined && !sslmodes.includes(sslmode)) {
    throw new InvalidUrl(`must have one of these as sslmode: ${sslmodes.join(', ')}`)
  }
  for (const name of Object.keys(parameters)) {
    const [advice] =
      refused.find(([, names]) => names.split(/\s+/).includes(name.toLowerCase())) ?? []
    if (advice) throw new InvalidUrl(`has the parameter ${name}: ${advice}`)
  }
  // `read-write` means the same: a server in recovery does not accept writes.
  if (target !== undefined && !['primary', 'read-write'].includes(target)) {
    throw new InvalidUrl(
      'must have target_session_attrs=primary: the portal does not read from standbys'
    )
  }
  const found = hosts === '' ? [] : hosts.split(',').map(parseHost)
  if (found.length > 1 && target === undefined) {
    throw new InvalidUrl(
      'names several hosts: add target_session_attrs=primary, as in ' +
        'postgres://portal@db-a,db-b/portal?target_session_attrs=primary'
    )
  }
  return {
    hosts: found,
    user: decoded(user) || undefined,
    password: decoded(password) || undefined,
    database: decoded(database) || undefined,
    sslmode: drivers[sslmode ?? ''] ?? sslmode,
    sslnegotiation,
    settings: Object.fromEntries(Object.entries(parameters).filter(([name]) => !ignored.has(name)))
  }
}

/** The problem of a postgres:// URL, to follow the name of the variable, or undefined. */
export function serverUrlProblem(url: string): string | undefined {
  try {
    parseServerUrl(url)
  } catch (error) {
    if (error instanceof InvalidUrl) return error.message
    throw error
  }
}

/** True for the name or the loopback address of this machine, and for the local socket. */
export const isLocal = (host: string) =>
  ['', 'localhost', '::1'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host)

function parseHost(text: string) {
  if (/^%2f/i.test(text)) {
    throw new InvalidUrl(
      'must not name a socket as host: leave the host out and name the ' +
        'directory of the socket in PGHOST'
    )
  }
  const parts = /^(?:\[([^\]]+)\]|([^\s:[\]%]+))(?::(\d{1,5}))?$/.exec(text)
  const [, bracketed, plain = '', port] = parts ?? []
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65535)) {
    throw new InvalidUrl('must have a port from 1 to 65535')
  }
  if (bracketed === undefined ? plain === '' : !isIPv6(bracketed)) {
    throw new InvalidUrl(`must be ${form}`)
  }
  return { name: bracketed ?? plain, port: port === undefined ? undefined : Number(port) }
}

function decoded(text: string | undefined) {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    throw new InvalidUrl(
      'has a % that does not begin a percent-encoding: write %25 for a percent sign'
    )
  }
}
