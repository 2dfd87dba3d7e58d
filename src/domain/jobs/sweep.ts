import { and, eq, gte, inArray, isNotNull, lte, ne, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import { evaluationDays, flagEvaluations, flagRevisions } from '../../../db/schema/flags.ts'
import { idempotencyKeys } from '../../../db/schema/idempotency.ts'
import { jobs } from '../../../db/schema/jobs.ts'
import { confirmationMails, outbox } from '../../../db/schema/outbox.ts'
import { spentChallenges } from '../../../db/schema/second-factors.ts'
import { endedScopeDays, endedScopes, invitations } from '../../../db/schema/scopes.ts'
import { apiKeys } from '../../../db/schema/services.ts'
import { endedAt, pendingLogins, sessions } from '../../../db/schema/sessions.ts'
import { isQuick, isSlow, throttle } from '../../../db/schema/throttle.ts'
import { registrations, tokens } from '../../../db/schema/tokens.ts'
import { deliveries } from '../../../db/schema/webhooks.ts'
import { ofDays } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import { dayBefore } from '../flags/evaluation-counts.ts'
import { isDeletion, isLast, keptRevisions } from '../flags/revisions.ts'
import type { Queue } from '../outbox/leases.ts'
import { expire } from '../webhooks/claim.ts'
import { deleteOld } from './delete-batches.ts'
import type { Batch, ExpiredRows } from './delete-batches.ts'
import { runJob } from './claim.ts'
import type { Step } from './claim.ts'
import { deletePlanned } from './planned-deletions.ts'

const now = sql`now()`
const daysAgo = (days: number) => sql`now() - ${ofDays(days)}`

/** The activity records older than `days`. */
export const oldActivity = (days: number): ExpiredRows => ({
  table: activity,
  key: activity.id,
  at: activity.at,
  partitioned: true,
  before: daysAgo(days)
})

/** Rows that were done a week ago, or were given up a month ago: those can be tried again. */
const doneIn = (table: Queue): ExpiredRows => ({
  table,
  key: table.id,
  at: table.doneAt,
  before: daysAgo(7),
  indexed: ne(table.state, sql`'pending'`), // as a literal: the condition of the index
  unless: and(eq(table.state, 'dead'), gte(table.doneAt, daysAgo(30)))
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
  'old mail': doneIn(outbox),
  'old deliveries': doneIn(deliveries),
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
  /** Invitations that nobody accepted in time. */
  'expired invitations': {
    table: invitations,
    key: invitations.id,
    at: invitations.expiresAt,
    before: now
  },
  /** Marks of deleted scopes, which need no index: scopes are rarely deleted. */
  'old marks of deleted scopes': {
    table: endedScopes,
    key: endedScopes.scope,
    at: endedScopes.endedAt,
    before: daysAgo(endedScopeDays)
  },
  'old idempotency keys': {
    table: idempotencyKeys,
    key: idempotencyKeys.hash,
    at: idempotencyKeys.createdAt,
    before: daysAgo(1)
  },
  /** The share of confirmed mail is computed from newer ones. */
  'old confirmation mails': {
    table: confirmationMails,
    key: confirmationMails.id,
    at: confirmationMails.sentAt,
    before: daysAgo(7)
  },
  /**
   * Sessions that were revoked or have expired more than thirty days ago: kept until then for
   * investigations. One that was idle for too long goes when it would have expired: no index may
   * contain the time of its last use, because writing that time would then change the index.
   */
  'dead sessions': { table: sessions, key: sessions.id, at: endedAt, before: daysAgo(30) },
  /** API keys that expired more than thirty days ago; revoked ones go at the same time. */
  'dead keys': { table: apiKeys, key: apiKeys.id, at: apiKeys.expiresAt, before: daysAgo(30) }
} satisfies Record<string, ExpiredRows>

const { kind, key, version, at } = flagRevisions
const isOlder = (days: number) => sql`${at} < now() - ${ofDays(days)}`

/** Revisions of keys that were deleted so long ago, up to the deletion. */
const ofDeleted = (days: number) => sql`exists (
  select from (select ${kind}, ${key}, ${version} from ${flagRevisions}
    where ${and(isDeletion, isOlder(days), isLast)}) as deleted
  where deleted.kind = ${kind} and deleted.key = ${key} and deleted.version >= ${version})`

/** Old revisions, except the newest ones of each key. */
const surplus = (days: number) => sql`${isOlder(days)} and exists (
  select from ${flagRevisions} as newer
  where newer.kind = ${kind} and newer.key = ${key} and newer.version > ${version}
  offset ${keptRevisions.always - 1}::int)`

/**
 * Deletes revisions of flags that were deleted before the retention of the activity, and surplus
 * ones, and removes the actors of others that are as old. Handles at most `limit` rows of each.
 * Returns their number, and whether there may be more.
 */
export async function tidyRevisions(db: Db, days: number, limit: number) {
  const remove = async (which: SQL) =>
    transaction(db, (tx) =>
      tx
        .delete(flagRevisions)
        .where(next(db, which, limit))
        .returning({ version })
    )
  const removed = [await remove(ofDeleted(days)), await remove(surplus(days))]
  const isNamed = and(isOlder(days), isNotNull(flagRevisions.actorLabel)) ?? sql`false`
  const forgotten = await transaction(db, (tx) =>
    tx
      .update(flagRevisions)
      .set({ actorId: null, actorLabel: null })
      .where(next(db, isNamed, limit))
      .returning({ version })
  )
  const counts = [...removed, forgotten].map((rows) => rows.length)
  return {
    deleted: removed.flat().length,
    isDone: counts.every((count) => count < limit)
  }
}

const next = (db: Db, which: SQL, limit: number) => {
  const rows = db.select({ kind, key, version }).from(flagRevisions).where(which).limit(limit)
  return sql`(${kind}, ${key}, ${version}) in ${rows}`
}

/** Milliseconds between two sweeps. */
export const sweepInterval = 3_600_000
export const batchSize = 1000

interface SweepOptions {
  db: Db
  /** Jobs to skip, from findRecentJobs. */
  recent: ReadonlySet<string>
  retentionDays: number
  /** Ends each job after one batch. */
  signal: AbortSignal
  onDeleted(what: string, count: number): void
  onError(what: string, error: unknown): void
}

/**
 * Deletes old activity records and expired rows in small batches. Skips a job that another instance
 * is running or has just run. Never rejects.
 */
export async function sweep(options: SweepOptions) {
  const { db, retentionDays } = options
  const deleteRows =
    (rows: ExpiredRows): Step<Batch['next']> =>
    async (position) => {
      const { deleted, next } = await deleteOld(db, rows, batchSize, position)
      return { count: deleted, next }
    }
  await deleteAll(oldRecords, deleteRows(oldActivity(retentionDays)), options)
  for (const [what, rows] of Object.entries(expiredRows)) {
    await deleteAll(what, deleteRows(rows), options)
  }
  const did = (count: number, isDone: boolean) => ({ count, next: isDone ? undefined : {} })
  const others: Record<string, Step<object>> = {
    async [lateDeliveries]() {
      const count = await expire(db, batchSize)
      return did(count, count < batchSize)
    },
    async [oldRevisions]() {
      const { deleted, isDone } = await tidyRevisions(db, retentionDays, batchSize)
      return did(deleted, isDone)
    },
    [oldEvaluations]: async () => did(await deleteOldEvaluations(db), true)
  }
  for (const [what, step] of Object.entries(others)) await deleteAll(what, step, options)
}

const oldRecords = 'old activity'
const oldRevisions = 'old versions of flags'
const oldEvaluations = 'old evaluations'
/** They become dead, and are deleted with the others. */
const lateDeliveries = 'late deliveries'
const jobOf = (what: string) => `delete ${what}`
const jobNames = [
  ...[oldRecords, oldRevisions, oldEvaluations, lateDeliveries].map(jobOf),
  ...Object.keys(expiredRows).map(jobOf),
  deletePlanned
]

async function deleteAll<Position>(
  what: string,
  step: Step<Position>,
  { db, recent, signal, onDeleted, onError }: SweepOptions
) {
  if (recent.has(jobOf(what))) return
  const run = { db, name: jobOf(what), signal, onError: (error: unknown) => onError(what, error) }
  const total = await runJob(run, step)
  if (total > 0) onDeleted(what, total)
}

/**
 * The jobs that began more than a day ago, although they run every hour, and those whose last run
 * did not finish. Without jobs that have never run.
 */
export async function findLateJobs(db: Db) {
  const isUnfinished = sql<boolean>`${jobs.beganAt} = 'epoch'` // as a released claim leaves it
  const found = await db
    .select({ name: jobs.name, isUnfinished })
    .from(jobs)
    .where(sql`${inArray(jobs.name, jobNames)} and ${jobs.beganAt} < now() - interval '1 day'`)
    .orderBy(jobs.name)
  const names = (unfinished: boolean) =>
    found.filter((job) => job.isUnfinished === unfinished).map(({ name }) => name)
  return { late: names(false), unfinished: names(true) }
}

/** In one statement, because a day has few rows. Returns their number. */
export async function deleteOldEvaluations(db: Db) {
  const deleted = await transaction(db, (tx) =>
    tx
      .delete(flagEvaluations)
      .where(lte(flagEvaluations.day, dayBefore(evaluationDays)))
      .returning({ key: flagEvaluations.flagKey })
  )
  return deleted.length
}
