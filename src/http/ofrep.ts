import type { errorCodes } from '../schemas/ofrep.ts'
import { problems } from '../problems/list.ts'
import type { ProblemDocument } from '../schemas/problem.ts'

const codes: Record<string, (typeof errorCodes)[number]> = {
  'flag-not-found': 'FLAG_NOT_FOUND',
  'targeting-key-missing': 'TARGETING_KEY_MISSING',
  'malformed-json': 'PARSE_ERROR',
  'invalid-request': 'INVALID_CONTEXT'
}

/** The requested key is returned if it can be displayed. */
const keyForm = /^\P{C}{1,80}$/u

/** A refusal in the format of OFREP 0.3, with the members of the problem document added. */
export function toEvaluationProblem(problem: ProblemDocument, params: unknown) {
  const asked =
    params !== null && typeof params === 'object' && 'key' in params ? String(params.key) : ''
  const key = keyForm.test(asked) ? { key: asked } : {}
  return {
    ...key,
    errorCode: codes[problem.code] ?? 'GENERAL',
    // Providers log it, for developers.
    errorDetails: problems[problem.code].hint ?? problem.detail,
    ...problem
  }
}
