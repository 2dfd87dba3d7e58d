import { Type } from '@sinclair/typebox'
import { FlagValue } from './flags.ts'
import { closed, oneOf, ref, text } from './primitives.ts'
import { Problem } from './problem.ts'
import type { ProblemResponse } from './problem.ts'
import type { ProblemCode } from '../problems/list.ts'

// The shapes of the OpenFeature Remote Evaluation Protocol 0.3.

export const reasons = ['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DEFAULT', 'DISABLED'] as const
export const errorCodes = [
  'PARSE_ERROR',
  'TARGETING_KEY_MISSING',
  'INVALID_CONTEXT',
  'FLAG_NOT_FOUND',
  'GENERAL'
] as const

/** Open, as the schema of the protocol is: newer providers send more members. */
export const EvaluationRequest = Type.Object(
  {
    context: Type.Optional(
      Type.Unsafe<Record<string, unknown> & { targetingKey?: string }>({
        type: 'object',
        properties: {
          targetingKey: text(256, {
            description:
              'Key of the evaluated subject, which splits need; for a signed-in user the user id ' +
              'is used. An empty one is none'
          })
        },
        additionalProperties: true,
        maxProperties: 100,
        description: 'Attributes that the rules of flags can refer to'
      })
    )
  },
  {
    $id: 'EvaluationRequest',
    additionalProperties: true,
    maxProperties: 100,
    description: 'The context of an evaluation',
    examples: [{ context: { targetingKey: 'visitor-1', country: 'DE' } }]
  }
)

const key = text(80, { description: 'Flag key', examples: ['new-checkout'] })

export const Evaluation = closed(
  {
    key,
    value: ref(FlagValue),
    variant: text(80, { description: 'Name of the variant', examples: ['on'] }),
    reason: oneOf(reasons, {
      description:
        '`STATIC`: the flag has no rules; `TARGETING_MATCH`: a rule matched; `SPLIT`: the split ' +
        'of a rule decided; `DEFAULT`: no rule matched; `DISABLED`: the flag is disabled'
    })
  },
  { $id: 'Evaluation', description: 'The result of an evaluation' }
)

const errorCode = oneOf(errorCodes, { description: 'OFREP error code' })
const errorDetails = text(500, { description: 'Explanation for people' })

/** @public a component of the API document */
export const EvaluationFailure = closed(
  { key, errorCode, errorDetails },
  { $id: 'EvaluationFailure', description: 'A flag that could not be evaluated, and why' }
)

/**
 * OFREP's error format with the members of a problem document added.
 * @public a component of the API document
 */
export const EvaluationProblem = closed(
  {
    key: Type.Optional(key),
    errorCode,
    errorDetails,
    ...Problem.properties
  },
  {
    $id: 'EvaluationProblem',
    description: 'An evaluation error: the members defined by OFREP and those of a problem document'
  }
)

/** A response that reports a problem in OFREP's format, for the response map of a route. */
export const evaluationProblem = (
  description: string,
  ...codes: ProblemCode[]
): ProblemResponse => ({
  description,
  codes,
  content: { 'application/json': { schema: ref(EvaluationProblem) } }
})

export const BulkEvaluation = closed(
  {
    flags: Type.Array(Type.Union([ref(Evaluation), ref(EvaluationFailure)]), {
      maxItems: 10_000,
      description: 'Sorted by key'
    })
  },
  { $id: 'BulkEvaluation', description: 'The results for all flags' }
)
