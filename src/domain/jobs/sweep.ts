import { setTimeout as sleep } from 'node:timers/promises'
import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { jobs } from '../../../db/schema/jobs.ts'
import { deleteOld } from '../old-rows.ts'
import type { Batch, OldRows } from '../old-rows.ts'
import { claimJob, claimSeconds, pause } from './claim.ts'
import { expiredRows, oldActivity } from './expired-rows.ts'
import { tidyRevisions } from './old-revisions.ts'
import { deletePlanned } from './planned-deletions.ts'

/** Milliseconds between two sweeps. */
export const sweepInterval = 3_600_000
export const batchSize = 1000

interface SweepOptions {
  db: Db
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
  const deleteRows = (rows: OldRows) => (position: Batch['next']) =>
    deleteOld(db, rows, batchSize, position)
  await deleteAll(oldRecords, deleteRows(oldActivity(retentionDays)), options)
  for (const [what, rows] of Object.entries(expiredRows)) {
    await deleteAll(what, deleteRows(rows), options)
  }
  const tidy = async () => {
    const { deleted, isDone } = await tidyRevisions(db, retentionDays, batchSize)
    return { deleted, next: isDone ? undefined : {} }
  }
  await deleteAll(oldRevisions, tidy, options)
}

const oldRecords = 'old activity'
const oldRevisions = 'old versions of flags'
const jobOf = (what: string) => `delete ${what}`
const jobNames = [
  ...[oldRecords, oldRevisions, ...Object.keys(expiredRows)].map(jobOf),
  deletePlanned
]

/** Deletes a batch and returns where the next one begins, undefined after the last one. */
type Step<Position> = (
  position: Position | undefined
) => Promise<{ deleted: number; next: Position | undefined }>

async function deleteAll<Position>(
  what: string,
  step: Step<Position>,
  { db, signal, onDeleted, onError }: SweepOptions
) {
  let total = 0
  try {
    const claim = await claimJob(db, jobOf(what), claimSeconds)
    if (!claim) return
    let next: Position | undefined
    let done = false
    try {
      do {
        const batch = await step(next)
        next = batch.next
        total += batch.deleted
        done = next === undefined
        if (!done) await sleep(pause)
      } while (!done && !signal.aborted && (await claim.keep()))
    } finally {
      await (done ? claim.finish() : claim.release())
    }
  } catch (error) {
    onError(what, error)
  }
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
