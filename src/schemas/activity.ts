import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import { targetTypes } from '../../db/schema/actions.ts'
import type {
  ActivityDetails as Details,
  recordedFields
} from '../../db/schema/activity-details.ts'
import {
  activityBuckets,
  actorTypes,
  feedCursorForm,
  feedLimit,
  outcomes,
  sources
} from '../../db/schema/activity.ts'
import { descriptionLength } from '../../db/schema/roles.ts'
import { serviceStatuses } from '../../db/schema/services.ts'
import { themes } from '../../db/schema/users.ts'
import { pageOf } from './lists.ts'
import { closed, Count, Id, integer, nullable, oneOf, ref, text, Timestamp } from './primitives.ts'
import { userLabel } from './users.ts'

const optionalText = (maxLength: number, description: string) =>
  Type.Optional(text(maxLength, { description }))
const keys = (description: string) =>
  Type.Optional(Type.Array(text(80), { maxItems: 1000, description }))
const change = (schema: TSchema, description: string) =>
  Type.Optional(closed({ from: schema, to: schema }, { description }))
/** In records of version 0.1. */
const valueOf = (description: string) =>
  Type.Optional(closed({ email: optionalText(254, 'E-mail address') }, { description }))

const changes = {
  email: change(text(254), 'E-mail address'),
  name: change(text(160), 'Name of a user, a role or a service'),
  theme: change(oneOf(themes), 'Theme'),
  description: change(
    text(descriptionLength.max),
    'Description of a role, a permission or a service'
  ),
  requiresSecondFactor: change(Type.Boolean(), 'Whether a role requires a second factor'),
  status: change(oneOf(serviceStatuses), 'Status of a service')
} satisfies Record<(typeof recordedFields)[number], TSchema>

/** One property per detail of a record, or the build fails: the serializer drops all others. */
const details = {
  email: optionalText(254, 'E-mail address of the account'),
  replaced: Type.Optional(Count('Number of sessions that the sign-in replaced')),
  revoked: Type.Optional(Count('Number of sessions that ended, or of API keys that were revoked')),
  sessionId: Type.Optional(Id('Id of the session that ended')),
  amr: keys('Authentication methods (RFC 8176)'),
  provider: optionalText(32, 'Key of the provider'),
  name: optionalText(160, 'Name of the passkey or the API key'),
  required: Type.Optional(Type.Boolean({ description: 'Whether a second factor is required' })),
  fields: keys('Names of the changed fields'),
  changes: Type.Optional(
    closed(changes, { description: 'What fields changed from and to; not those of a profile' })
  ),
  before: valueOf('Previous address, in records of version 0.1'),
  after: valueOf('New address, in records of version 0.1'),
  key: optionalText(80, 'Key of the role, permission or flag, or id of the API key'),
  networks: keys('Networks to which the new API key is limited'),
  expiresAt: Type.Optional(Timestamp('When the new API key expires')),
  firstAt: Type.Optional(
    Timestamp('When the API key was first used from this network, if the record came later')
  ),
  service: optionalText(80, 'Key of the service'),
  host: optionalText(260, 'Host of the URL of the webhook'),
  events: keys('Patterns of the actions that the new webhook gets'),
  role: optionalText(80, 'Key of the role that was granted or revoked'),
  scope: optionalText(81, 'Scope in which the role was granted or revoked'),
  grantedRoles: keys('Keys of the roles of an imported user, without `user`'),
  providers: keys('Keys of the providers where an imported user has accounts'),
  secondFactor: Type.Optional(
    Type.Boolean({ description: 'Whether an imported user has an authenticator app' })
  ),
  parts: keys('Which settings of the app an imported user has: `user` and `app`'),
  status: optionalText(40, 'Status of an imported user who is not active'),
  permission: optionalText(80, 'Key of the permission that was granted, revoked or missing'),
  permissions: keys(
    'Permission keys of the new or deleted role, or to which the new API key is limited'
  ),
  version: Type.Optional(Count('Version of the flag after the change')),
  members: Type.Optional(Count('Number of users who lost the deleted role')),
  roles: Type.Optional(Count('Number of roles that had the deleted permission')),
  limit: optionalText(40, 'Name of the rate limit that was exceeded'),
  route: optionalText(200, 'Method and path pattern of the route'),
  kind: optionalText(40, 'Kind of the mail'),
  error: optionalText(40, 'Why the mail was not delivered'),
  reply: optionalText(300, 'What the mail server said, without addresses and secrets'),
  part: optionalText(40, 'Which settings of the app changed: `user` or `app`'),
  write: Type.Optional(Type.Boolean({ description: 'Whether the console may make changes' })),
  actorKey: Type.Optional(Id('Id of the API key with which the actor acted')),
  count: Type.Optional(Count('Number of occurrences in the minute that the record covers'))
} satisfies Record<keyof Details, TSchema>

export const ActivityDetails = closed(details, {
  $id: 'ActivityDetails',
  description: 'Details of the action; the properties depend on the action'
})

export const Outcome = oneOf(outcomes, { description: 'Outcome of the action' })
export const Bucket = oneOf(activityBuckets, { description: 'Length of a bucket' })
export const Action = text(40, { description: 'Name of the action', examples: ['auth.login'] })

const shown = {
  id: Id('Record id'),
  at: Timestamp('Time of the action'),
  action: Action,
  outcome: Outcome,
  reason: nullable(
    text(80, { description: 'Reason for the failure', examples: ['wrong-password'] })
  ),
  actorType: oneOf(actorTypes, { description: 'Kind of actor' }),
  actorId: nullable(Id('Id of the user or the service that acted')),
  actorLabel: nullable(
    text(254, {
      description: 'E-mail address or key of the actor at that time',
      examples: ['ada@example.com']
    })
  ),
  targetType: nullable(oneOf(targetTypes, { description: 'Kind of target' })),
  targetId: nullable(
    text(80, { description: 'Id of the target, or the key of a permission or flag' })
  ),
  ip: nullable(text(45, { description: 'Client IP address', examples: ['203.0.113.7'] })),
  userAgent: nullable(text(256, { description: 'User agent', examples: ['Mozilla/5.0'] })),
  requestId: nullable(Id('Request id, as in X-Request-Id')),
  sessionId: nullable(Id('Session of the acting user; for a sign-in, the session that began')),
  source: oneOf(sources, { description: 'Where the action came from' }),
  details: ref(ActivityDetails)
}

/** @public a component of the API document */
export const ActivityRecord = closed(shown, {
  $id: 'ActivityRecord',
  description:
    'An entry of the audit trail. Records are never changed and outlive their actors and targets'
})
export const ActivityPage = pageOf('ActivityPage', ActivityRecord, 'A page of activity records')

const FeedCursor = (description: string) =>
  Type.String({
    pattern: feedCursorForm.source,
    maxLength: 61,
    description,
    examples: ['2026-01-31T09:30:00.000Z']
  })

export const feedQuery = closed({
  after: Type.Optional(FeedCursor('`next` of an earlier response, or a time')),
  limit: Type.Optional(integer(1, feedLimit, `Maximum number of records; ${feedLimit} by default`))
})

export const ActivityFeed = closed(
  {
    items: Type.Array(ref(ActivityRecord), { maxItems: feedLimit, description: 'Oldest first' }),
    next: nullable(FeedCursor('`after` of the next request; null as long as there is no record'))
  },
  { $id: 'ActivityFeed', description: 'Records of the audit trail in their order' }
)

export const LabelledActivityRecord = closed(
  {
    ...shown,
    actor: userLabel('The user who acted, as of now; null for callers without `users:read`'),
    target: userLabel('The same for a target that is a user')
  },
  {
    $id: 'LabelledActivityRecord',
    description: 'An entry of the audit trail, with the users whom it is about'
  }
)
export const LabelledActivityPage = pageOf(
  'LabelledActivityPage',
  LabelledActivityRecord,
  'A page of activity records'
)

export const ActivitySummary = closed(
  {
    bucket: Bucket,
    from: Timestamp('Start of the period, inclusive'),
    to: Timestamp('End of the period, exclusive'),
    items: Type.Array(
      closed({
        start: Timestamp('Start of the bucket, in UTC'),
        action: Action,
        outcome: Outcome,
        count: Count('Number of records'),
        occurrences: Count(
          'Number of occurrences; more than `count` where repeated refusals share a record'
        )
      }),
      { maxItems: 20_000, description: 'Oldest first; combinations without records are left out' }
    )
  },
  { $id: 'ActivitySummary', description: 'Number of records per bucket, action and outcome' }
)

/**
 * A time in a query. Limited to years that every database can store, and without what the format
 * allows and JavaScript cannot parse: leap seconds, and offsets without minutes.
 */
export const QueryTime = (description: string) =>
  Type.String({
    format: 'date-time',
    pattern:
      '^(19|20|21)\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d(\\.\\d+)?([Zz]|[+-]\\d\\d:\\d\\d)$',
    maxLength: 35,
    description,
    examples: ['2026-01-31T09:30:00.000Z']
  })
