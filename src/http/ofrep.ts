import type { errorCodes } from '../schemas/ofrep.ts'
import type { ProblemDocument } from '../schemas/problem.ts'

const codes: Record<string, (typeof errorCodes)[number]> = {
  'flag-not-found': 'FLAG_NOT_FOUND',
  'targeting-key-missing': 'TARGETING_KEY_MISSING',
  'malformed-json': 'PARSE_ERROR',
  'invalid-request': 'INVALID_CONTEXT'
}

/** The key that was asked for is sent back when it can be shown. */
const keyForm = /^\P{C}{1,80}$/u

/** A refusal as OFREP 0.3 shapes it, the problem's own members beside it. */
export function toEvaluationProblem(problem: ProblemDocument, params: unknown) {
  const asked =
    params !== null && typeof params === 'object' && 'key' in params ? String(params.key) : ''
  const key = keyForm.test(asked) ? { key: asked } : {}
  return {
    ...key,
    errorCode: codes[problem.code] ?? 'GENERAL',
    errorDetails: problem.detail,
    ...problem
  }
}
