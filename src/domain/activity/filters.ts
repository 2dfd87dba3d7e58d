import { and, eq, gte, lt, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { activity } from '../../../db/schema/activity.ts'
import type { ActivityRow } from '../../../db/schema/activity.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { invalidFields } from '../domain-error.ts'
import { canonicalNetwork } from '../networks.ts'

export interface ActivityFilters {
  action?: string | undefined
  outcome?: ActivityRow['outcome'] | undefined
  actorId?: string | undefined
  targetId?: string | undefined
  /** An address, or a network in CIDR notation. */
  ip?: string | undefined
  /** The records of what was done in a session, and to it. */
  sessionId?: string | undefined
  requestId?: string | undefined
  /** Inclusive. */
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
}

/**
 * The conditions of filters, by what their indexes are good for. Throws a refusal that names `ip`.
 */
export function conditionsOf(filters: ActivityFilters) {
  const { action, outcome, actorId, targetId, sessionId, requestId, from, to } = filters
  const network = networkOf(filters.ip)
  const isRange = network?.includes('/')
  return {
    inSpan: and(from && gte(activity.at, from), to && lt(activity.at, to)),
    /** Each has an index in the order of time, and so have both together. */
    byWhat: [
      action === undefined ? undefined : eq(activity.action, action),
      outcome && eq(activity.outcome, outcome)
    ],
    /** Each has an index in the order of time. */
    inOrder: present(
      requestId === undefined ? undefined : eq(activity.requestId, requestId),
      targetId === undefined ? undefined : eq(activity.targetId, targetId),
      actorId === undefined ? undefined : eq(activity.actorId, actorId),
      network === undefined || isRange ? undefined : eq(activity.ip, network)
    ),
    /** Each has indexes, but in another order. */
    unordered: present(
      sessionId === undefined ? undefined : or(...partsOfSession(sessionId)),
      isRange ? sql`${activity.ip} <<= ${network}::inet` : undefined
    )
  }
}

/** All conditions, where no order matters. */
export function matching(filters: ActivityFilters) {
  const { inSpan, byWhat, inOrder, unordered } = conditionsOf(filters)
  return and(inSpan, ...byWhat, ...inOrder, ...unordered)
}

const present = (...conditions: (SQL | undefined)[]) =>
  conditions.filter((each) => each !== undefined)

function networkOf(ip: string | undefined) {
  if (ip === undefined) return undefined
  const network = canonicalNetwork(ip)
  if (network !== undefined) return network
  throw invalidFields({
    pointer: '/query/ip',
    code: 'malformed',
    message: 'Must be an IP address, or a network such as 203.0.113.0/24'
  })
}

/**
 * What was done in a session, and to it: parts without records in common, each with an index in the
 * order of time. The target of a record that a session was revoked is its user.
 */
export function partsOfSession(id: string) {
  const elsewhere = sql`${activity.sessionId} is distinct from ${id}::uuid`
  const owner = sql`(select user_id::text from ${sessions} where id = ${id}::uuid)`
  return [
    eq(activity.sessionId, id),
    and(eq(activity.targetId, id), eq(activity.targetType, 'session'), elsewhere),
    and(
      sql`${activity.targetId} = ${owner}`,
      eq(activity.action, 'session.revoke'),
      sql`${activity.details}->>'sessionId' = ${id}`,
      elsewhere
    )
  ]
}
