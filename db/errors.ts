/** SQLSTATE read_only_sql_transaction: what a standby says to a write. */
const readOnly = '25006'

/** The database cannot be opened by this process: a person has to do something first. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable'
}

/** No answer within the deadline. */
export class DatabaseTimeout extends Error {
  override name = 'DatabaseTimeout'
  readonly code = 'DATABASE_TIMEOUT'
}

/** The connection is gone, and with it whether what was sent on it took effect. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
  readonly code = 'CONNECTION_CLOSED'
}

/** The server answers as a standby does, whose reads may be older than what was acknowledged. */
export class ServerInRecovery extends Error {
  override name = 'ServerInRecovery'
  override message = 'The server is in recovery: a standby, not the primary'
  readonly code = readOnly
}

// Socket errors, what postgres.js names its own, and PGlite after close().
const awayCodes = new Set([
  'DATABASE_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED'
])
// SQLSTATE classes: connection (08), credentials (28), resources (53), operator intervention (57);
// and a database that is not there (yet),
// lock timeout, read-only (a demoted primary).
const awayStates = /^(08...|28...|53...|57...|3D000|55P03|25006)$/
// What OpenSSL and Node say of a certificate.
const certificateCodes = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/
/** What a person would look at first. */
const hints: [code: RegExp, hint: string][] = [
  [/^28/, 'it rejects the user or the password'],
  [/^3D000$/, 'it has no database with this name'],
  [
    certificateCodes,
    'its certificate is not trusted or belongs to another host (NODE_EXTRA_CA_CERTS=FILE adds a ' +
      'private authority)'
  ],
  [/^(ECONNREFUSED|ENOENT)$/, 'nothing is listening there'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its host name cannot be resolved'],
  [/^53300$/, 'it has no connections left'],
  [/^57P0[123]$/, 'it is starting or stopping'],
  [/^42501$/, 'its role lacks a privilege (run portal doctor)'],
  [/^25006$/, 'it is read-only: a standby, or no longer the primary']
]

/** Drizzle wraps what the driver threw: the SQLSTATE is one `cause` down. */
export function databaseCode(error: unknown): string | undefined {
  for (
    let current = error, depth = 0;
    current instanceof Error && depth < 4;
    current = current.cause, depth++
  ) {
    if ('code' in current && typeof current.code === 'string') return current.code
  }
}

const marked = new WeakSet<Error>()

/** Marks what the connections throw: an error of a socket does not say whose socket it was. */
export function fromDatabase(error: unknown) {
  if (error instanceof Error) marked.add(error)
  return error
}

/** Both drivers give what a server or PGlite answers a severity. */
const isFromDatabase = (error: unknown): boolean =>
  error instanceof Error &&
  (marked.has(error) || 'severity' in error || isFromDatabase(error.cause))

/** True when the database did not or could not answer, and the same request may succeed later. */
export function isDatabaseAway(error: unknown) {
  const code = databaseCode(error)
  return (
    code !== undefined &&
    isFromDatabase(error) &&
    (awayCodes.has(code) ||
      awayStates.test(code) ||
      certificateCodes.test(code) ||
      isMissingSocket(error))
  )
}

/** True when a server did not answer, or only that it is starting or stopping: another one may. */
export function isNoAnswer(error: unknown) {
  const code = databaseCode(error) ?? ''
  return awayCodes.has(code) || /^(08...|57P0[123])$/.test(code) || isMissingSocket(error)
}

/** True when the server is a standby, or a primary that takes no writes. */
export const isReadOnly = (error: unknown) => databaseCode(error) === readOnly

/** Why a database is away, in words that name what to look at and hold no value. */
export const awayHint = (error: unknown) =>
  hints.find(([code]) => code.test(databaseCode(error) ?? ''))?.[1] ?? 'it does not answer'

/**
 * A server on a Unix socket is away when the socket is: any other missing file is somebody else's.
 */
const isMissingSocket = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error &&
    error.code === 'ENOENT' &&
    'syscall' in error &&
    error.syscall === 'connect') ||
    isMissingSocket(error.cause))

/**
 * True when the statement or its transaction failed and left nothing written, so that it may be
 * run again: a serialization failure, a deadlock, or a prepared statement that is gone or whose
 * result type has changed. postgres.js prepares such a statement anew, which within a transaction
 * comes too late.
 */
export function isRetryable(error: unknown) {
  const code = databaseCode(error)
  if (code === '0A000') return isStalePlan(error)
  return code === '40001' || code === '40P01' || code === '26000'
}

/** Of the errors called "feature not supported", the one that a second try ends. */
const isStalePlan = (error: unknown): boolean =>
  error instanceof Error &&
  (('routine' in error && error.routine === 'RevalidateCachedQuery') || isStalePlan(error.cause))
