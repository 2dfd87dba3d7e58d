import { findCause } from './causes.ts'
import type { Cause } from './causes.ts'

/** SQLSTATE read_only_sql_transaction: how a standby answers a write. */
const readOnly = '25006'

/** This process cannot open the database. A person has to fix the cause first. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable'
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

/** The server has no TLS, and the connection must be encrypted. */
export class TlsRefused extends Error {
  override name = 'TlsRefused'
  override message = 'The server does not offer TLS'
  readonly code = 'TLS_REFUSED'
}

/** A standby answered. Its reads may be older than changes that were confirmed. */
export class ServerInRecovery extends Error {
  override name = 'ServerInRecovery'
  override message = 'The server is in recovery: a standby, not the primary'
  readonly code = readOnly
}

/** An error and its causes, outermost first. The limit ends a cycle. */
function* chain(error: unknown) {
  for (let depth = 0; error instanceof Error && depth < 8; depth++) {
    yield error
    error = error.cause
  }
}

/** The SQLSTATE or the code of a socket error, which is in a cause: Drizzle wraps driver errors. */
export const databaseCode = (error: unknown): string | undefined => coded(error)?.code

function coded(error: unknown) {
  for (const each of chain(error)) {
    if ('code' in each && typeof each.code === 'string') {
      return { code: each.code, sentence: each.message }
    }
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

/** Why the database does not do what it was asked to. Undefined if something else failed. */
export function causeOf(error: unknown): Cause | undefined {
  const { code, sentence } = coded(error) ?? {}
  if (code === undefined || sentence === undefined || !isFromDatabase(error)) return undefined
  if (code === 'ENOENT' && !isMissingSocket(error)) return undefined
  return findCause(code, sentence)
}

/** The server's own sentence about a cause. */
export const sentenceOf = (error: unknown): string | undefined =>
  causeOf(error) && coded(error)?.sentence

/** True when the database did not or could not answer, and the same request may succeed later. */
export const isDatabaseUnavailable = (error: unknown) => (causeOf(error)?.passes ?? 'no') !== 'no'

/** True when a server did not answer, or is starting or stopping: another host may answer. */
export const isNoAnswer = (error: unknown) => causeOf(fromDatabase(error))?.passes === 'elsewhere'

/** True when the server is a standby, or a primary that does not accept writes. */
export const isReadOnly = (error: unknown) => databaseCode(error) === readOnly

/** Why the database is unavailable, for people. It never contains a value. */
export const unavailableHint = (error: unknown) =>
  error instanceof DatabaseUnusable
    ? error.message
    : (causeOf(fromDatabase(error))?.operators ?? 'it does not answer')

/** Two sentences: why the database cannot be used, and what to do. */
export function unavailableAdvice(error: unknown) {
  const remedy =
    causeOf(error)?.remedy ?? 'Check that it is running and that DATABASE_URL is right.'
  return `The database cannot be used: ${unavailableHint(error)}. ${remedy}`
}

/**
 * The remedy for a statement that the database rejected; undefined for other errors.
 * It never contains a value.
 */
export function rejectionAdvice(error: unknown): string | undefined {
  const state = databaseCode(error)
  if (state === undefined || !isFromDatabase(error)) return
  const cause = causeOf(error)
  if (cause) {
    const words = [cause.operators, sentenceOf(error)].filter((each) => each !== undefined)
    const why = `${words.join(': ')} (SQLSTATE ${state})`
    return `The database rejected a statement: ${why}. ${cause.remedy}`
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
