import { Type } from '@sinclair/typebox'
import { FlagValue } from './flags.ts'
import { closed, oneOf, ref, text } from './primitives.ts'
import { Problem } from './problem.ts'

// The shapes of the OpenFeature Remote Evaluation Protocol 0.3.

export const reasons = ['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DEFAULT', 'DISABLED'] as const
export const errorCodes = [
  'PARSE_ERROR',
  'TARGETING_KEY_MISSING',
  'INVALID_CONTEXT',
  'FLAG_NOT_FOUND',
  'GENERAL'
] as const

export const EvaluationRequest = closed(
  {
    context: Type.Optional(
      Type.Unsafe<Record<string, unknown> & { targetingKey?: string }>({
        type: 'object',
        properties: {
          targetingKey: text(256, {
            minLength: 1,
            description: "Whom it is for; of somebody signed in the user's id counts instead"
          })
        },
        additionalProperties: true,
        maxProperties: 100,
        description: 'Whatever rules may ask for'
      })
    )
  },
  { $id: 'EvaluationRequest', description: 'What to evaluate for' }
)

const key = text(80, { description: 'Of the flag', examples: ['new-checkout'] })

export const Evaluation = closed(
  {
    key,
    value: ref(FlagValue),
    variant: text(80, { examples: ['on'] }),
    reason: oneOf(reasons, {
      description: 'No rules, a rule, a share of one, no rule matched, or switched off'
    })
  },
  { $id: 'Evaluation', description: 'What the flag is' }
)

const errorCode = oneOf(errorCodes)
const errorDetails = text(500, { description: 'For people' })

export const EvaluationFailure = closed(
  { key, errorCode, errorDetails },
  { $id: 'EvaluationFailure', description: 'Why a flag among others has no value' }
)

/** OFREP's shape, with the members of a problem document beside it. */
export const EvaluationProblem = closed(
  {
    key: Type.Optional(key),
    errorCode,
    errorDetails,
    ...Problem.properties
  },
  {
    $id: 'EvaluationProblem',
    description: "Why there is no value: OFREP's members, and those of a problem document"
  }
)

export const BulkEvaluation = closed(
  {
    flags: Type.Array(Type.Union([ref(Evaluation), ref(EvaluationFailure)]), {
      maxItems: 10_000,
      description: 'By key'
    })
  },
  { $id: 'BulkEvaluation', description: 'What all flags are' }
)
