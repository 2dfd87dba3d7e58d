import { CommanderError } from 'commander'
import {
  DatabaseUnusable,
  isDatabaseUnavailable,
  isRetryable,
  rejectionAdvice,
  unavailableAdvice
} from '../../db/errors.ts'
import { ConfigError, isAppError } from '../config/config.ts'
import { DomainError, overloaded } from '../domain/errors.ts'
import type { FieldError } from '../domain/errors.ts'
import { describeError } from '../http/logging.ts'
import { problemType } from '../domain/vocabulary.ts'
import type { OwnProblem } from '../domain/vocabulary.ts'
import type { ProblemCode } from '../problems/list.ts'
import { exitCodes } from './exit-codes.ts'

export class UsageError extends Error {
  override name = 'UsageError'
}

/** Something outside of the portal failed, such as the mail server. */
export class OutsideError extends Error {
  override name = 'OutsideError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

interface Failure {
  exitCode: number
  /** For scripts: the code of the API's problem document if there is one. */
  code: string
  /** For people; may have several lines. Empty when the text has been printed already. */
  message: string
  errors?: FieldError[] | undefined
}

/**
 * Turns an error into the text to print. Never contains values of a statement or row: see
 * describeError.
 */
export function explain(error: unknown): Failure {
  if (error instanceof CommanderError) return explainUsage(error)
  if (error instanceof UsageError) {
    return { exitCode: exitCodes.usage, code: 'usage', message: error.message }
  }
  if (error instanceof OutsideError) {
    return { exitCode: exitCodes.failed, code: error.code, message: error.message }
  }
  if (error instanceof ConfigError) {
    return { exitCode: exitCodes.failed, code: 'configuration', message: error.message }
  }
  if (isAppError(error)) return { exitCode: exitCodes.failed, code: 'app', message: error.message }
  if (error instanceof DatabaseUnusable) return unavailable(error.message)
  if (isDatabaseUnavailable(error)) {
    return unavailable(`${unavailableAdvice(error)} Run portal doctor for details.`)
  }
  if (error instanceof DomainError) return explainRefusal(error)
  if (error instanceof Error && error.name === 'ExitPromptError') {
    return { exitCode: exitCodes.usage, code: 'cancelled', message: 'Nothing was changed.' }
  }
  if (isRetryable(error)) return explainRefusal(overloaded())
  const advice = rejectionAdvice(error)
  if (advice !== undefined) {
    return { exitCode: exitCodes.failed, code: 'database-rejected', message: advice }
  }
  return explainUnforeseen(error)
}

const unavailable = (message: string): Failure => ({
  exitCode: exitCodes.databaseUnavailable,
  code: 'database-unavailable',
  message
})

function explainUsage({ code, exitCode, message }: CommanderError): Failure {
  if (exitCode === 0) return { exitCode: exitCodes.ok, code: 'ok', message: '' } // help or version
  const usage = { exitCode: exitCodes.usage, code: 'usage' }
  if (code === 'commander.help') return { ...usage, message: '' } // a group without a command
  return { ...usage, message: `${message}\n(see --help)` }
}

function explainRefusal({ statusCode, code, title, message, errors }: DomainError): Failure {
  const fields = (errors ?? []).map(
    ({ pointer, message }) => `  ${pointer.slice(1) || 'input'}: ${message}`
  )
  const words = message === problemType(code).detail ? (operatorMessages[code] ?? message) : message
  const first = fields.length > 0 ? `${title}:` : words
  return { exitCode: exitCodeOf(statusCode), code, message: [first, ...fields].join('\n'), errors }
}

function exitCodeOf(statusCode: number) {
  if (statusCode === 400) return exitCodes.usage
  if (statusCode === 404) return exitCodes.notFound
  return statusCode === 409 || statusCode === 412 ? exitCodes.conflict : exitCodes.failed
}

/** A defect: the stack helps to fix it. */
function explainUnforeseen(error: unknown): Failure {
  const { type, message, stack } = describeError(
    error instanceof Error ? error : new Error(String(error))
  )
  return {
    exitCode: exitCodes.failed,
    code: 'internal-error',
    message: `${type}: ${message}\n${stack}`
  }
}

/**
 * A command says these instead of `detail`, which speaks to the user of an app. An operator has no
 * account to sign in to, but has other commands.
 */
const operatorMessages: Partial<Record<ProblemCode | OwnProblem, string>> = {
  'email-taken':
    'An account with this e-mail address already exists. See it with portal user show EMAIL, or ' +
    'use another address. To make its user an administrator, run: portal user grant EMAIL admin',
  'email-verified': 'The e-mail address is already confirmed.',
  'enrolment-link-not-needed':
    'The user needs no link: no role of theirs requires a second factor, or they have one ' +
    'already. See: portal user show USER',
  'user-not-found': 'No such user. Find the id or the address with: portal user list --q TEXT',
  'user-deactivated':
    'The user is deactivated. Reactivate the account first: portal user reactivate USER',
  'role-not-found': 'No such role. See: portal role list',
  'role-exists': 'A role with this key already exists. See: portal role show KEY',
  'permission-not-found': 'No such permission. See: portal permission list',
  'permission-exists': 'A permission with this key already exists. See: portal permission show KEY',
  'flag-not-found': 'No such feature flag. See: portal flag list',
  'flag-exists': 'A feature flag with this key already exists. See: portal flag show KEY',
  'revision-not-found': 'No such version. See: portal flag history KEY',
  'session-not-found':
    'No such session, or it has already ended. See the active ones with: portal session list',
  'mail-not-found':
    'No such mail. It is deleted some days after it was sent. See: portal mail list',
  'mail-off': 'No mail server is configured. Set MAIL_URL, or print the link instead.',
  'last-admin':
    'This is the last administrator who can sign in. Create another one first: ' +
    'portal admin create --email EMAIL',
  'targeting-key-missing':
    'The flag is split by targeting key. Name one with --targeting-key, or a user with --user.',
  'database-unavailable':
    'The database does not answer. Confirmed changes are safe. Run portal doctor for details.',
  overloaded: 'The change met too many others at once. Nothing was changed. Try again.'
}
