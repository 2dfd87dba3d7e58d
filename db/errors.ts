/** The database cannot be opened by this process: a person has to do something first. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable'
}

/** No answer within the deadline. */
export class DatabaseTimeout extends Error {
  override name = 'DatabaseTimeout'
  readonly code = 'DATABASE_TIMEOUT'
}

// Socket errors, what postgres.js names its own, and PGlite after close().
const awayCodes = new Set([
  'DATABASE_TIMEOUT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN',
  'CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED'
])
// SQLSTATE classes: connection (08), resources (53), operator intervention (57); and lock timeout, read-only (a demoted primary).
const awayStates = /^(08...|53...|57...|55P03|25006)$/

/** Drizzle wraps what the driver threw: the SQLSTATE is one `cause` down. */
export function databaseCode (error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 4; current = current.cause, depth++) {
    if ('code' in current && typeof current.code === 'string') return current.code
  }
}

/** True when the database did not or could not answer, and the same request may succeed later. */
export function isDatabaseAway (error: unknown) {
  const code = databaseCode(error)
  return code !== undefined && (awayCodes.has(code) || awayStates.test(code) || isMissingSocket(error))
}

/** A server on a Unix socket is away when the socket is: any other missing file is somebody else's. */
const isMissingSocket = (error: unknown): boolean => error instanceof Error &&
  (('code' in error && error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') || isMissingSocket(error.cause))

/** True for a serialization failure or a deadlock: nothing was written, and the transaction may be run again. */
export function isRetryable (error: unknown) {
  const code = databaseCode(error)
  return code === '40001' || code === '40P01'
}
