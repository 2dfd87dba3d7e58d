import { Type } from '@sinclair/typebox'
import { evaluationDays } from '../../db/schema/flag-evaluations.ts'
import { FlagKey, VariantName } from './flags.ts'
import { closed, integer, nullable } from './primitives.ts'

/** A query with a period that ends today. */
export function periodQuery(minimum: number, description: string) {
  const days = integer(minimum, evaluationDays, description, { default: 30 })
  // A parameter with a default is always set for the handler but need not be sent.
  return { ...closed({ days }), required: [] as string[] }
}

const counts = (description: string) =>
  Type.Array(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: 'int64' }), {
    maxItems: evaluationDays,
    description
  })

export const FlagEvaluations = closed(
  {
    key: FlagKey,
    days: Type.Array(Type.String({ format: 'date', maxLength: 10, examples: ['2026-01-31'] }), {
      maxItems: evaluationDays,
      description: 'Days in UTC, oldest first. The last one is today'
    }),
    variants: Type.Array(
      closed({
        variant: nullable(
          Type.Unsafe<string>({
            ...VariantName,
            description:
              'Name of the variant, which the flag may no longer have; null where a split ' +
              'lacked the targeting key'
          })
        ),
        single: counts('Number of evaluations of this flag alone, for each day'),
        bulk: counts('Number of evaluations together with all other flags, for each day')
      }),
      { maxItems: 5000, description: 'Variants that were sent in this period, most frequent first' }
    )
  },
  { $id: 'FlagEvaluations', description: 'How often each variant of a flag was sent to apps' }
)
