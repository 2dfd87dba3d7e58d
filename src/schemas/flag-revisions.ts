import { Type } from '@sinclair/typebox'
import { actorTypes } from '../../db/schema/activity.ts'
import {
  evaluationDays,
  leastStaleDays,
  revisionChanges,
  revisionKinds,
  staleReasons
} from '../../db/schema/flags.ts'
import { VariantName } from './flag-rules.ts'
import { definedByFlag, FlagKey } from './flags.ts'
import { pageOf } from './lists.ts'
import { closed, Id, integer, nullable, oneOf, text, Timestamp } from './primitives.ts'

const version = integer(1, 2_147_483_647, 'Version, which is also the ETag', { examples: [1] })
const actor = {
  actorType: nullable(oneOf(actorTypes, { description: 'Kind of actor' })),
  actorId: nullable(
    Id(
      'Id of the user who acted; null for callers without `activity:read`, after the retention ' +
        'of the activity, and where deleted users are forgotten'
    )
  ),
  actorLabel: nullable(
    text(254, {
      description:
        'E-mail address of the actor at that time, or name of the operator; null for callers ' +
        'without `activity:read`, and after the retention of the activity'
    })
  )
}

/** The fields of a revision beside its definition. */
export const revision = {
  version,
  change: oneOf(revisionChanges, {
    description:
      'What was done; `found` is a state that was written by a version that kept no history'
  }),
  fields: Type.Array(text(80), { maxItems: 20, description: 'Names of the changed fields' }),
  at: Timestamp('Time of the change'),
  ...actor
}

/** @public a component of the API document */
export const FlagRevision = closed(
  {
    ...revision,
    definition: nullable(
      closed(definedByFlag, { description: 'The flag after the change; null after a deletion' })
    )
  },
  { $id: 'FlagRevision', description: 'A saved state of a flag' }
)
export const FlagRevisionPage = pageOf(
  'FlagRevisionPage',
  FlagRevision,
  'A page of the history of a flag'
)

export const Restoration = closed(
  { version },
  { $id: 'Restoration', description: 'The version to restore', examples: [{ version: 1 }] }
)

/** @public a component of the API document */
export const DeletedFlag = closed(
  {
    kind: oneOf(revisionKinds, { description: 'What was deleted' }),
    key: FlagKey,
    version,
    deletedAt: Timestamp('Time of the deletion'),
    ...actor
  },
  { $id: 'DeletedFlag', description: 'What was deleted and can be restored' }
)
export const DeletedFlagPage = pageOf(
  'DeletedFlagPage',
  DeletedFlag,
  'A page of deleted flags and segments'
)

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
