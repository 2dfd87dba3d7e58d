import type { errorCodes } from './schemas/ofrep.ts'
import type { ProblemDocument } from './schemas/problem.ts'

const codes: Record<string, typeof errorCodes[number]> = {
  'flag-not-found': 'FLAG_NOT_FOUND',
  'targeting-key-missing': 'TARGETING_KEY_MISSING',
  'malformed-json': 'PARSE_ERROR',
  'invalid-request': 'INVALID_CONTEXT'
}

/** What could be the key of a flag; nothing else that was received is sent back. */
const keyForm = /^[A-Za-z0-9._-]{1,80}$/

/** A refusal as OFREP 0.3 shapes it, the problem's own members beside it. */
export function toEvaluationProblem (problem: ProblemDocument, params: unknown) {
  const asked = params !== null && typeof params === 'object' && 'key' in params ? String(params.key) : ''
  const key = keyForm.test(asked) ? { key: asked } : {}
  return { ...key, errorCode: codes[problem.code] ?? 'GENERAL', errorDetails: problem.detail, ...problem }
}
