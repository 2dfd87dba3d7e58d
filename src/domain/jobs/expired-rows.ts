import { and, eq, gte, ne, sql } from 'drizzle-orm'
import { ofDays } from '../../../db/intervals.ts'
import { activity } from '../../../db/schema/activity.ts'
import { apiKeys } from '../../../db/schema/api-keys.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { pendingLogins } from '../../../db/schema/pending-logins.ts'
import { registrations } from '../../../db/schema/registrations.ts'
import { spentChallenges } from '../../../db/schema/second-factors.ts'
import { endedAt, sessions } from '../../../db/schema/sessions.ts'
import { isQuick, isSlow, throttle } from '../../../db/schema/throttle.ts'
import { tokens } from '../../../db/schema/tokens.ts'
import type { OldRows } from '../old-rows.ts'

const now = sql`now()`
const daysAgo = (days: number) => sql`now() - ${ofDays(days)}`

/** The activity records older than `days`. */
export const oldActivity = (days: number): OldRows => ({
  table: activity,
  key: activity.id,
  at: activity.at,
  partitioned: true,
  before: daysAgo(days)
})

/** All other rows that are deleted, by the name of their job and in this order. */
export const expiredRows = {
  /** Buckets whose full limit has been available for a day. */
  'unused throttles': {
    table: throttle,
    key: throttle.bucket,
    at: throttle.tat,
    before: sql`now() - interval '24 hours'`,
    indexed: isQuick
  },
  /**
   * Buckets of passwords in slow mode are kept for a year: otherwise an attacker could pause for a
   * day and start again. They are not kept forever, because attackers also try addresses without an
   * account. Buckets of codes are slow earlier and only kept for a day: starting again each day
   * allows no more guesses than slow mode.
   */
  'forgotten throttles': {
    table: throttle,
    key: throttle.bucket,
    at: throttle.tat,
    before: sql`now() - interval '365 days'`,
    indexed: isSlow
  },
  /** Mail that was done a week ago; dead mail is kept for longer, because it can be tried again. */
  'old mail': {
    table: outbox,
    key: outbox.id,
    at: outbox.doneAt,
    before: daysAgo(7),
    indexed: ne(outbox.state, sql`'pending'`), // as a literal: the condition of the index
    unless: and(eq(outbox.state, 'dead'), gte(outbox.doneAt, daysAgo(30)))
  },
  'expired tokens': { table: tokens, key: tokens.hash, at: tokens.expiresAt, before: now },
  /** Registrations that nobody confirmed in time. Their tokens go with them. */
  'expired registrations': {
    table: registrations,
    key: registrations.id,
    at: registrations.expiresAt,
    before: now
  },
  /** Sign-ins that nobody can complete any more. */
  'expired logins': {
    table: pendingLogins,
    key: pendingLogins.tokenHash,
    at: pendingLogins.expiresAt,
    before: now
  },
  /** Challenges that can no longer be answered. */
  'expired challenges': {
    table: spentChallenges,
    key: spentChallenges.hash,
    at: spentChallenges.expiresAt,
    before: now
  },
  /**
   * Sessions that were revoked or have expired more than thirty days ago: kept until then for
   * investigations. One that was idle for too long goes when it would have expired: no index may
   * contain the time of its last use, because writing that time would then change the index.
   */
  'dead sessions': { table: sessions, key: sessions.id, at: endedAt, before: daysAgo(30) },
  /** API keys that expired more than thirty days ago; revoked ones go at the same time. */
  'dead keys': { table: apiKeys, key: apiKeys.id, at: apiKeys.expiresAt, before: daysAgo(30) }
} satisfies Record<string, OldRows>
