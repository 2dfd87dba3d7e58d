import { CommanderError } from 'commander'
import {
  DatabaseUnusable,
  isDatabaseUnavailable,
  isRetryable,
  PartitionProblem,
  rejectionAdvice,
  unavailableAdvice
} from '../../db/errors.ts'
import { ConfigError } from '../config/config.ts'
import { DomainError } from '../domain/domain-error.ts'
import type { FieldError } from '../domain/domain-error.ts'
import { overloaded } from '../domain/errors.ts'
import { describeError } from '../http/logging.ts'
import { problems } from '../problems/list.ts'
import { exitCodes } from './exit-codes.ts'
import { operatorWords } from './operator-words.ts'

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
  if (error instanceof OutsideError || error instanceof PartitionProblem) {
    return { exitCode: exitCodes.failed, code: error.code, message: error.message }
  }
  if (error instanceof ConfigError) {
    return { exitCode: exitCodes.failed, code: 'configuration', message: error.message }
  }
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
  const words = message === problems[code].detail ? (operatorWords[code] ?? message) : message
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
