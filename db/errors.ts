/** SQLSTATE read_only_sql_transaction: how a standby answers a write. */
const readOnly = '25006'

/** This process cannot open the database. A person has to fix the cause first. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable'
}

/** An operator has to do something before the activity can be partitioned. */
export class PartitionProblem extends Error {
  override name = 'PartitionProblem'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Rows of the epochs are missing, as after an incomplete restore. `portal refresh` adds them. */
class EpochsMissing extends Error {
  override name = 'EpochsMissing'
  override message = 'Rows of the epochs are missing: run portal refresh'
  readonly code = 'EPOCHS_MISSING'
}

/** No answer within the deadline. */
export class DatabaseTimeout extends Error {
  override name = 'DatabaseTimeout'
  readonly code = 'DATABASE_TIMEOUT'
}

/** Changes are refused while too many commits wait, so that reads still find a connection. */
export class CommitsWaiting extends Error {
  override name = 'CommitsWaiting'
  override message = 'Commits wait, probably for a synchronous standby: no change begins'
  readonly code = 'COMMITS_WAITING'
}

/** The connection is lost. Whether a statement sent on it took effect is unknown. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
  readonly code = 'CONNECTION_CLOSED'
}

/** A standby answered. Its reads may be older than changes that were confirmed. */
export class ServerInRecovery extends Error {
  override name = 'ServerInRecovery'
  override message = 'The server is in recovery: a standby, not the primary'
  readonly code = readOnly
}

/** Codes of socket errors, of postgres.js, and of PGlite after close(). */
const unavailableCodes = new Set([
  'EPOCHS_MISSING',
  'DATABASE_TIMEOUT',
  'COMMITS_WAITING',
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
/**
 * SQLSTATE classes 08 (connection), 28 (credentials), 53 (resources) and 57 (operator
 * intervention); and a missing database, a lock timeout, a server that is read-only.
 */
const unavailableStates = /^(08...|28...|53...|57...|3D000|55P03|25006)$/
/** Codes of OpenSSL and Node for a certificate that is not accepted. */
const certificateCodes = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/
/** The first thing to check, by error code. */
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
  [/^EPOCHS_MISSING$/, 'rows of its epochs are missing (run portal refresh)'],
  [/^COMMITS_WAITING$/, 'its commits wait, probably for a synchronous standby'],
  [/^42501$/, 'its role lacks a privilege (run portal doctor)'],
  [/^25006$/, 'it is read-only: a standby, or no longer the primary']
]

/** An error and its causes, outermost first. The limit ends a cycle. */
function* chain(error: unknown) {
  for (let depth = 0; error instanceof Error && depth < 8; depth++) {
    yield error
    error = error.cause
  }
}

/** The SQLSTATE or the code of a socket error, which is in a cause: Drizzle wraps driver errors. */
export function databaseCode(error: unknown): string | undefined {
  for (const each of chain(error)) {
    if ('code' in each && typeof each.code === 'string') return each.code
  }
}

const marked = new WeakSet<Error>()

/** Marks an error as the database's: the error of a socket does not say whose socket it was. */
export function fromDatabase(error: unknown) {
  if (error instanceof Error) marked.add(error)
  return error
}

/**
 * Rejects a read or change without its epoch: its value must not be cached, nor a change missed.
 */
export const epochsMissing = () => fromDatabase(new EpochsMissing())

export const isEpochsMissing = (error: unknown) => databaseCode(error) === 'EPOCHS_MISSING'

/** In both drivers, errors reported by PostgreSQL have a severity. */
const isFromDatabase = (error: unknown) =>
  [...chain(error)].some((each) => marked.has(each) || 'severity' in each)

/** True when the database did not or could not answer, and the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown) {
  const code = databaseCode(error)
  return (
    code !== undefined &&
    isFromDatabase(error) &&
    (unavailableCodes.has(code) ||
      unavailableStates.test(code) ||
      certificateCodes.test(code) ||
      isMissingSocket(error))
  )
}

/** True when a server did not answer, or is starting or stopping: another host may answer. */
export function isNoAnswer(error: unknown) {
  const code = databaseCode(error) ?? ''
  return unavailableCodes.has(code) || /^(08...|57P0[123])$/.test(code) || isMissingSocket(error)
}

/** True when the server is a standby, or a primary that does not accept writes. */
export const isReadOnly = (error: unknown) => databaseCode(error) === readOnly

/** Why the database is unavailable, for people. It never contains a value. */
export const unavailableHint = (error: unknown) =>
  hints.find(([code]) => code.test(databaseCode(error) ?? ''))?.[1] ?? 'it does not answer'

/**
 * What an operator can do about a statement that the database rejected; undefined for other errors.
 * It never contains a value: PostgreSQL's own words only where they name nothing but an object.
 */
export function rejectionAdvice(error: unknown): string | undefined {
  const state = databaseCode(error)
  if (state === undefined || !isFromDatabase(error)) return
  if (state === '42501') {
    const denied = [...chain(error)].at(-1)?.message
    return (
      `The role in DATABASE_URL lacks a privilege: ${denied}. Run portal doctor, which prints ` +
      'the statements that grant what is missing.'
    )
  }
  if (/^(42P01|42703|42704|42883|3F000)$/.test(state)) {
    return (
      'The database lacks a table, a column or a function that this version uses ' +
      `(SQLSTATE ${state}). Run portal migrate. If it reports that the schema is up to date, ` +
      'the schema was changed by hand: restore what was removed.'
    )
  }
  return (
    `The database rejected a statement (SQLSTATE ${state}). Run portal doctor. If it finds ` +
    'nothing wrong, the log of the database server has the statement and the reason.'
  )
}

/**
 * ENOENT means "unavailable" for the Unix socket of the server only; for any other file it is
 * another error.
 */
const isMissingSocket = (error: unknown) =>
  [...chain(error)].some(
    (each) =>
      'code' in each && each.code === 'ENOENT' && 'syscall' in each && each.syscall === 'connect'
  )

/**
 * True when the statement or its transaction failed and left nothing written, so that it may be
 * run again: a serialization failure, a deadlock, or a prepared statement that is gone or whose
 * result type has changed. postgres.js prepares such a statement again, but within a transaction
 * that is too late.
 */
export function isRetryable(error: unknown) {
  const code = databaseCode(error)
  if (code === '0A000') return isStalePlan(error)
  return code === '40001' || code === '40P01' || code === '26000'
}

/** The only error of "feature not supported" (0A000) that a second attempt can end. */
const isStalePlan = (error: unknown) =>
  [...chain(error)].some((each) => 'routine' in each && each.routine === 'RevalidateCachedQuery')
