import { CommanderError } from 'commander'
import { awayHint, DatabaseUnusable, isDatabaseAway } from '../../db/errors.ts'
import { ConfigError } from '../config.ts'
import { DomainError } from '../domain/errors.ts'

export const exitCodes = { ok: 0, failed: 1, usage: 2, notFound: 3, conflict: 4, databaseAway: 5 }

/** The command was given in a way it cannot be carried out. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** What to say about a failure, and the exit code that says the same to a script. */
export function explain (error: unknown): { message: string, code: number } {
  if (error instanceof CommanderError) return { message: '', code: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage } // it has spoken already
  if (error instanceof UsageError) return { message: error.message, code: exitCodes.usage }
  if (error instanceof ConfigError) return { message: error.message, code: exitCodes.failed }
  if (error instanceof DatabaseUnusable) return { message: error.message, code: exitCodes.databaseAway }
  if (isDatabaseAway(error)) return { message: `The database cannot be used: ${awayHint(error)}. Check that it runs and that DATABASE_URL names it; portal doctor looks closer.`, code: exitCodes.databaseAway }
  if (error instanceof DomainError) {
    const fields = (error.errors ?? []).map(({ pointer, message }) => `  ${pointer.slice(1) || 'input'}: ${message}`)
    return { message: [fields.length > 0 ? `${error.title}:` : `${error.title}. ${error.message}`, ...fields].join('\n'), code: codeOf(error.statusCode) }
  }
  if (error instanceof Error && error.name === 'ExitPromptError') return { message: 'Nothing was changed.', code: exitCodes.usage }
  return { message: error instanceof Error ? error.stack ?? error.message : String(error), code: exitCodes.failed }
}

function codeOf (statusCode: number) {
  if (statusCode === 400) return exitCodes.usage
  if (statusCode === 404) return exitCodes.notFound
  return statusCode === 409 || statusCode === 412 ? exitCodes.conflict : exitCodes.failed
}
