import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { ofSeconds } from '../../../db/intervals.ts'
import { jobs } from '../../../db/schema/jobs.ts'
import { retried } from '../../../db/transaction.ts'

/** The right to do a job, which others may take when it was not kept for too long. */
interface Claim {
  /** Call it at least once in the claimed time. False when another instance has taken the job. */
  keep(): Promise<boolean>
  /** It is done: the next turn is due as if it had taken no time. */
  finish(): Promise<void>
  /** It is not done: any instance may take it at its next turn. */
  release(): Promise<void>
}

// As text, because a JavaScript date has only milliseconds.
const beganAt = sql<string>`${jobs.beganAt}::text`
const at = (text: string) => sql`${text}::timestamptz`

/**
 * A claim for exactly one of all that ask within `seconds`. A row instead of a lock, because a lock
 * that belongs to a connection is lost behind a pooler. The job of a process that died is left to
 * the next turn.
 */
export async function claimJob(db: Db, name: string, seconds: number): Promise<Claim | undefined> {
  const old = lt(jobs.beganAt, sql`now() - ${ofSeconds(seconds)}`)
  const [claimed] = await retried(() =>
    db
      .insert(jobs)
      .values({ name, beganAt: sql`now()` })
      .onConflictDoUpdate({ target: jobs.name, set: { beganAt: sql`now()` }, setWhere: old })
      .returning({ beganAt })
  )
  if (!claimed) return undefined
  let held = claimed.beganAt
  const move = async (to: ReturnType<typeof sql>) => {
    const [moved] = await retried(() =>
      db
        .update(jobs)
        .set({ beganAt: to })
        .where(and(eq(jobs.name, name), eq(jobs.beganAt, at(held))))
        .returning({ beganAt })
    )
    if (moved) held = moved.beganAt
    return moved !== undefined
  }
  return {
    keep: () => move(sql`clock_timestamp()`),
    finish: async () => {
      await move(at(claimed.beganAt))
    },
    release: async () => {
      await move(sql`'epoch'::timestamptz`)
    }
  }
}
