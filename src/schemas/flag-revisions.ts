import { Type } from '@sinclair/typebox'
import { actorTypes } from '../../db/schema/activity.ts'
import { revisionChanges, revisionKinds } from '../../db/schema/flag-revisions.ts'
import { definedByFlag, FlagKey } from './flags.ts'
import { pageOf } from './lists.ts'
import { closed, Id, integer, nullable, oneOf, text, Timestamp } from './primitives.ts'

const version = integer(1, 2_147_483_647, 'Version, which is also the ETag', { examples: [1] })
const actor = {
  actorType: nullable(oneOf(actorTypes, { description: 'Kind of actor' })),
  actorId: nullable(Id('Id of the user who acted; null for callers without `activity:read`')),
  actorLabel: nullable(
    text(254, {
      description:
        'E-mail address of the actor at that time, or name of the operator; null for callers ' +
        'without `activity:read`, and after the retention of the activity'
    })
  )
}

/** What a revision has beside its definition. */
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
