import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../db/engine.ts'
import { deleteOldActivity } from '../activity/retention.ts'
import { claimJob } from './claim.ts'
import { deleteExpiredChallenges } from '../factors/challenges.ts'
import { deleteExpiredLogins } from '../factors/pending-logins.ts'
import { deleteOldMail } from '../outbox/sweep.ts'
import { deleteDeadSessions } from '../sessions/dead-sessions.ts'
import { deleteOldThrottles } from '../throttling/cleanup.ts'
import { deleteExpiredRegistrations, deleteExpiredTokens } from '../tokens/sweep.ts'

/** Milliseconds between two sweeps. */
export const sweepInterval = 3_600_000
/** Less than the interval, so that an early timer does not skip a sweep. */
const claimSeconds = 3000
/** The search for dead sessions reads many that must still be kept, so it runs once a day. */
const deadSessionsSeconds = 85_000
const batchSize = 1000
/** Milliseconds between two batches, so that requests come first. */
const pause = 100

interface SweepOptions {
  db: Db
  retentionDays: number
  idleSeconds: number
  /** Ends each job after one batch. */
  signal: AbortSignal
  onDeleted(what: string, count: number): void
  onError(what: string, error: unknown): void
}

type DeleteBatch = () => Promise<{ deleted: number; more: boolean }>

/**
 * Deletes old activity records, unused buckets, old mail, expired tokens, registrations, pending
 * logins and challenges, and dead sessions in small batches. Skips a job that another instance is
 * running or has just run. Never rejects.
 */
export async function sweep(options: SweepOptions) {
  const { db, retentionDays, idleSeconds } = options
  const whileFull = (deleteBatch: () => Promise<number>): DeleteBatch => {
    return async () => {
      const deleted = await deleteBatch()
      return { deleted, more: deleted === batchSize }
    }
  }
  const oldActivity = whileFull(() => deleteOldActivity(db, retentionDays, batchSize))
  const oldThrottles = whileFull(() => deleteOldThrottles(db, batchSize))
  const expiredLogins = whileFull(() => deleteExpiredLogins(db, batchSize))
  const expiredChallenges = whileFull(() => deleteExpiredChallenges(db, batchSize))
  const oldMail = whileFull(() => deleteOldMail(db, batchSize))
  const expiredTokens = whileFull(() => deleteExpiredTokens(db, batchSize))
  const expiredRegistrations = whileFull(() => deleteExpiredRegistrations(db, batchSize))
  let place: Awaited<ReturnType<typeof deleteDeadSessions>>['next']
  const deadSessions: DeleteBatch = async () => {
    const { deleted, next } = await deleteDeadSessions(db, idleSeconds, place, batchSize)
    place = next
    return { deleted, more: next !== undefined }
  }
  await deleteAll('old activity', claimSeconds, oldActivity, options)
  await deleteAll('unused throttles', claimSeconds, oldThrottles, options)
  await deleteAll('old mail', claimSeconds, oldMail, options)
  await deleteAll('expired tokens', claimSeconds, expiredTokens, options)
  await deleteAll('expired registrations', claimSeconds, expiredRegistrations, options)
  await deleteAll('expired logins', claimSeconds, expiredLogins, options)
  await deleteAll('expired challenges', claimSeconds, expiredChallenges, options)
  await deleteAll('dead sessions', deadSessionsSeconds, deadSessions, options)
}

/** @param seconds during which no other instance may start the job */
async function deleteAll(
  what: string,
  seconds: number,
  deleteBatch: DeleteBatch,
  { db, signal, onDeleted, onError }: SweepOptions
) {
  let total = 0
  try {
    const claim = await claimJob(db, `delete ${what}`, seconds)
    if (!claim) return
    let done = false
    try {
      do {
        const { deleted, more } = await deleteBatch()
        total += deleted
        done = !more
        if (more) await sleep(pause)
      } while (!done && !signal.aborted && (await claim.keep()))
    } finally {
      await (done ? claim.finish() : claim.release())
    }
  } catch (error) {
    onError(what, error)
  }
  if (total > 0) onDeleted(what, total)
}
