import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { jobs } from '../../../db/schema/jobs.ts'
import { jobNames } from './sweep.ts'

/**
 * The jobs that began more than a day ago, although they run every hour, and those whose last run
 * did not finish. Without jobs that have never run.
 */
export async function findLateJobs(db: Db) {
  const isUnfinished = sql<boolean>`${jobs.beganAt} = 'epoch'` // as Claim.release leaves it
  const found = await db
    .select({ name: jobs.name, isUnfinished })
    .from(jobs)
    .where(sql`${inArray(jobs.name, jobNames)} and ${jobs.beganAt} < now() - interval '1 day'`)
    .orderBy(jobs.name)
  const names = (unfinished: boolean) =>
    found.filter((job) => job.isUnfinished === unfinished).map(({ name }) => name)
  return { late: names(false), unfinished: names(true) }
}
