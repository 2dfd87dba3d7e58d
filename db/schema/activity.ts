import { isNotNull } from 'drizzle-orm'
import { check, index, inet, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { targetTypes } from './actions.ts'
import type { ActivityDetails } from './activity-details.ts'
import { instant, isOneOf } from './columns.ts'

export const outcomes = ['success', 'failure'] as const
export const actorTypes = ['user', 'cli', 'system', 'anonymous', 'service'] as const
export const sources = ['api', 'cli', 'job'] as const
export const activitySorts = ['at'] as const
export const activityBuckets = ['hour', 'day'] as const
/** A time, and the id of a record of that time. Without an id it is before all of them. */
export const feedCursorForm = /^(19|20|21)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(_[0-9a-f-]{36})?$/
/** Records of one response of the feed. */
export const feedLimit = 500

/**
 * It has no foreign keys, because a record outlives its subject. Only the retention job deletes
 * records. An operator can partition the table by month (docs/do/partition.md); its primary key is
 * then `at` and `id`.
 */
export const activity = pgTable(
  'activity',
  {
    id: uuid('id').primaryKey(),
    at: instant('at').notNull().defaultNow(),
    action: text('action').notNull(),
    outcome: text('outcome', { enum: outcomes }).notNull(),
    reason: text('reason'),
    actorType: text('actor_type', { enum: actorTypes }).notNull(),
    actorId: uuid('actor_id'),
    actorLabel: text('actor_label'),
    targetType: text('target_type', { enum: targetTypes }),
    targetId: text('target_id'),
    ip: inet('ip'),
    userAgent: text('user_agent'),
    requestId: uuid('request_id'),
    /** The session of the acting user. */
    sessionId: uuid('session_id'),
    source: text('source', { enum: sources }).notNull(),
    details: jsonb('details').$type<Partial<ActivityDetails>>().notNull().default({})
  },
  (table) => [
    // It has action and outcome, so that the summary reads nothing else.
    index('activity_at').on(table.at, table.id, table.action, table.outcome),
    index('activity_action').on(table.action, table.at, table.id),
    index('activity_outcome_at').on(table.outcome, table.at, table.id),
    index('activity_action_outcome').on(table.action, table.outcome, table.at, table.id),
    index('activity_actor').on(table.actorId, table.at, table.id).where(isNotNull(table.actorId)),
    index('activity_target')
      .on(table.targetId, table.at, table.id)
      .where(isNotNull(table.targetId)),
    index('activity_ip').on(table.ip, table.at, table.id).where(isNotNull(table.ip)),
    index('activity_request')
      .on(table.requestId, table.at, table.id)
      .where(isNotNull(table.requestId)),
    index('activity_session')
      .on(table.sessionId, table.at, table.id)
      .where(isNotNull(table.sessionId)),
    check('activity_outcome', isOneOf(table.outcome, outcomes)),
    check('activity_actor_type', isOneOf(table.actorType, actorTypes)),
    check('activity_source', isOneOf(table.source, sources))
  ]
)

export type ActivityRow = typeof activity.$inferSelect
