import { Type } from '@sinclair/typebox'
import { evaluationDays, leastStaleDays, staleReasons } from '../../db/schema/flag-evaluations.ts'
import { VariantName } from './flag-rules.ts'
import { FlagKey } from './flags.ts'
import { pageOf } from './lists.ts'
import { closed, integer, nullable, oneOf, Timestamp } from './primitives.ts'

const days = (minimum: number, description: string) =>
  integer(minimum, evaluationDays, description, { default: 30 })

export const EvaluationsQuery = {
  ...closed({ days: days(1, 'Number of days, today included') }),
  required: [] as string[] // set for the handler, but it need not be sent
}
export const staleDays = days(
  leastStaleDays,
  'Number of days without a change; evaluations count in them'
)

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

/** @public a component of the API document */
export const StaleFlag = closed(
  {
    key: FlagKey,
    reason: oneOf(staleReasons, {
      description:
        '`disabled`; `rolled-out`: everybody gets one variant, without rules or by the first ' +
        'one; `one-variant`: at least 100 evaluations in these days, all of one variant; ' +
        '`unused`: no evaluation in these days, although older ones of any flag were counted'
    }),
    since: Timestamp('Time of the last change'),
    variant: nullable(
      Type.Unsafe<string>({ ...VariantName, description: 'What everybody gets; null if unknown' })
    )
  },
  { $id: 'StaleFlag', description: 'A flag that has nothing left to decide' }
)
export const StaleFlagPage = pageOf('StaleFlagPage', StaleFlag, 'A page of stale flags')
