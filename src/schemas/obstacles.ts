import { Type } from '@sinclair/typebox'
import { ActivityRecord } from './activity.ts'
import { closed, Count, nullable, oneOf, Timestamp } from './primitives.ts'

const { actorType, actorId, actorLabel } = ActivityRecord.properties

export const Obstacles = closed(
  {
    items: Type.Array(
      closed({
        code: oneOf(
          [
            'deactivated',
            'deletion-planned',
            'too-many-attempts',
            'invited',
            'no-password',
            'email-unverified',
            'second-factor-missing'
          ],
          { description: 'What it is' }
        ),
        since: nullable(Timestamp('When it began, if that is known')),
        until: nullable(
          Timestamp('When it ends by itself; for an invitation, when the last link expires')
        ),
        attempts: nullable(Count('Wrong passwords or codes since the last success')),
        by: nullable(
          closed(
            { actorType, actorId, actorLabel },
            { description: 'Who caused it; null for callers without `activity:read`' }
          )
        )
      }),
      { maxItems: 10, description: 'The newest first' }
    )
  },
  { $id: 'Obstacles', description: 'What keeps a user from signing in, or from a role' }
)
