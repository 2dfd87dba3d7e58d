import type { Db } from '../engine.ts'
import { removeBound } from './bound.ts'
import { convert } from './convert.ts'
import type { Report } from './brief-lock.ts'
import { createMonths, dropOldParts } from './months.ts'
import type { Retention } from './months.ts'
import { defaultPart } from './parts.ts'
import { putBackLeft, repair } from './repair.ts'

interface Options {
  retention: Retention
  /** Move the records of the default partition. */
  repair: boolean
}

/**
 * Partitions the activity, or, if it is, creates the months ahead and drops those that are too old.
 * Call it when no other process does the same; run it again after an interruption.
 * @throws PartitionProblem
 */
export async function partitionActivity(db: Db, options: Options, report: Report) {
  const converted = await convert(db, report)
  await removeBound(db, defaultPart, report)
  await putBackLeft(db, report)
  const moved = options.repair ? await repair(db, report) : 0
  const created = await createMonths(db, report)
  const { dropped, kept } = await dropOldParts(db, options.retention, report)
  if (converted || moved > 0 || created.length > 0 || dropped.length > 0) {
    report('Collecting statistics for the planner.')
    await db.execute('analyze activity') // autovacuum does not, for the table as a whole
  }
  return { converted, created, dropped, kept, moved }
}
