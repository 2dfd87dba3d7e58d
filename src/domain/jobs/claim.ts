import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, gte, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { jobs } from '../../../db/schema/jobs.ts'
import { ofSeconds } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'

/** Less than the hour between two runs of a job, so that an early timer does not skip one. */
const claimSeconds = 3000
/** Milliseconds between two batches of a job, so that requests come first. */
export const pause = 100

// The times are texts, because a JavaScript date has only milliseconds.
const beganAt = sql<string>`${jobs.beganAt}::text`
const at = (text: string) => sql`${text}::timestamptz`

/**
 * The names of jobs that began within `claimSeconds`. A sweep skips them: to claim each of them in
 * vain would take a transaction.
 */
export async function findRecentJobs(db: Db): Promise<ReadonlySet<string>> {
  const found = await db
    .select({ name: jobs.name })
    .from(jobs)
    .where(gte(jobs.beganAt, sql`now() - ${ofSeconds(claimSeconds)}`))
  return new Set(found.map(({ name }) => name))
}

/**
 * Grants the right to run a job to exactly one caller within `seconds`. Uses a row instead of a
 * lock, because a lock that belongs to a connection is lost behind a pooler. The job of a process
 * that died is run when it is due again.
 */
export async function claimJob(db: Db, name: string, seconds: number) {
  const old = lt(jobs.beganAt, sql`now() - ${ofSeconds(seconds)}`)
  const [claimed] = await transaction(db, (tx) =>
    tx
      .insert(jobs)
      .values({ name, beganAt: sql`now()` })
      .onConflictDoUpdate({ target: jobs.name, set: { beganAt: sql`now()` }, setWhere: old })
      .returning({ beganAt })
  )
  if (!claimed) return undefined
  let held = claimed.beganAt
  const move = async (to: ReturnType<typeof sql>) => {
    const [moved] = await transaction(db, (tx) =>
      tx
        .update(jobs)
        .set({ beganAt: to })
        .where(and(eq(jobs.name, name), eq(jobs.beganAt, at(held))))
        .returning({ beganAt })
    )
    if (moved) held = moved.beganAt
    return moved !== undefined
  }
  return {
    /** Call it at least once in the claimed time. False when another instance has the claim. */
    keep: () => move(sql`clock_timestamp()`),
    /** Marks the job as done. The next run is due one interval after this one started. */
    finish: async () => {
      await move(at(claimed.beganAt))
    },
    /** The job is not done. Any instance may claim it with its next run. */
    release: async () => {
      await move(sql`'epoch'::timestamptz`)
    }
  }
}

export interface JobRun {
  db: Db
  name: string
  /** Ends the run after one batch. */
  signal: AbortSignal
  onError(error: unknown): void
}

/** Handles one batch from a position. `next` is undefined after the last one. */
export type Step<Position> = (
  position: Position | undefined
) => Promise<{ count: number; next: Position | undefined }>

/**
 * Runs a job batch by batch. Skips a run that another instance is doing or has just done. Never
 * rejects. Returns the sum of the counts.
 */
export async function runJob<Position>(
  { db, name, signal, onError }: JobRun,
  step: Step<Position>
): Promise<number> {
  let total = 0
  try {
    const claim = await claimJob(db, name, claimSeconds)
    if (!claim) return total
    let next: Position | undefined
    let done = false
    try {
      do {
        const batch = await step(next)
        next = batch.next
        total += batch.count
        done = next === undefined
        if (!done) await sleep(pause)
      } while (!done && !signal.aborted && (await claim.keep()))
    } finally {
      await (done ? claim.finish() : claim.release())
    }
  } catch (error) {
    onError(error)
  }
  return total
}
