import { Type } from '@sinclair/typebox'
import {
  activityBuckets,
  actorTypes,
  outcomes,
  sources,
  targetTypes
} from '../../db/schema/activity.ts'
import { pageOf } from './lists.ts'
import { closed, Count, Id, nullable, oneOf, ref, text, Timestamp } from './primitives.ts'

const optionalText = (maxLength: number, description: string) =>
  Type.Optional(text(maxLength, { description }))
const keys = (description: string) =>
  Type.Optional(Type.Array(text(80), { maxItems: 1000, description }))
const changedFrom = (description: string) =>
  Type.Optional(closed({ email: optionalText(254, 'E-mail address') }, { description }))

export const ActivityDetails = closed(
  {
    email: optionalText(254, 'The address it was about'),
    replaced: Type.Optional(Count('How many sessions the login replaced')),
    revoked: Type.Optional(Count('How many sessions ended with it')),
    sessionId: Type.Optional(Id('The session that ended')),
    fields: keys('The fields that changed'),
    before: changedFrom('What some of them were'),
    after: changedFrom('What they became'),
    key: optionalText(80, 'The key of the role, permission or flag'),
    role: optionalText(80, 'The role that was given or taken'),
    permission: optionalText(80, 'The permission that was given, taken or missing'),
    permissions: keys('The permissions of the new role'),
    members: Type.Optional(Count('How many users had the deleted role')),
    roles: Type.Optional(Count('How many roles had the deleted permission')),
    limit: optionalText(40, 'The budget that was used up'),
    route: optionalText(200, 'Method and path pattern'),
    count: Type.Optional(Count('How often it happened in the minute that the record stands for'))
  },
  {
    $id: 'ActivityDetails',
    description: 'What more there is to say; which of these depends on the action'
  }
)

export const Outcome = oneOf(outcomes, { description: 'How it went' })
export const Bucket = oneOf(activityBuckets, { description: 'How long each bucket is' })
export const Action = text(40, { description: 'What happened', examples: ['auth.login'] })

export const ActivityRecord = closed(
  {
    id: Id('Of the record'),
    at: Timestamp('When it happened'),
    action: Action,
    outcome: Outcome,
    reason: nullable(text(80, { description: 'Why it failed', examples: ['wrong-password'] })),
    actorType: oneOf(actorTypes),
    actorId: nullable(Id('The user who did it')),
    actorLabel: nullable(
      text(254, { description: 'Their address then', examples: ['ada@example.com'] })
    ),
    targetType: Type.Unsafe<(typeof targetTypes)[number] | null>({
      type: ['string', 'null'],
      enum: [...targetTypes, null],
      description: 'What it was done to'
    }),
    targetId: nullable(
      text(80, { description: 'Which one: an id, or the key of a permission or flag' })
    ),
    ip: nullable(text(45, { description: 'From where', examples: ['203.0.113.7'] })),
    userAgent: nullable(text(256, { description: 'With what', examples: ['Mozilla/5.0'] })),
    requestId: nullable(Id('The request, as in X-Request-Id')),
    source: oneOf(sources),
    details: Type.Unsafe<Record<string, unknown>>(ref(ActivityDetails))
  },
  {
    $id: 'ActivityRecord',
    description:
      'Something that happened. Records outlive what they speak of, and nobody changes them'
  }
)
export const ActivityPage = pageOf('ActivityPage', ActivityRecord, 'A page of activity records')

export const ActivitySummary = closed(
  {
    bucket: Bucket,
    from: Timestamp('Where it begins, inclusive'),
    to: Timestamp('Where it ends, exclusive'),
    items: Type.Array(
      closed({
        start: Timestamp('Where the bucket begins, in UTC'),
        action: Action,
        outcome: Outcome,
        count: Count('How many records')
      }),
      {
        maxItems: 20_000,
        description: 'Oldest first; a bucket, action and outcome of which there is none is absent'
      }
    )
  },
  { $id: 'ActivitySummary', description: 'Counts per action and outcome' }
)

/** A time in a query: of years that every database knows, and without leap seconds, which JavaScript does not. */
export const QueryTime = (description: string) =>
  Type.String({
    format: 'date-time',
    pattern: '^(19|20|21)\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d',
    maxLength: 35,
    description,
    examples: ['2026-01-31T09:30:00.000Z']
  })
