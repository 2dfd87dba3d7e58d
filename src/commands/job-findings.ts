import type { Db } from '../../db/engine.ts'
import { findLateJobs } from '../domain/jobs/sweep.ts'
import { ok, warning } from './findings.ts'
import type { Outcome } from './findings.ts'

export async function jobFinding(db: Db): Promise<Outcome> {
  const { late, unfinished } = await findLateJobs(db)
  if (late.length + unfinished.length === 0) return ok('none is late')
  const parts = [
    late.length > 0 && `not run for more than a day: ${late.join(', ')}`,
    unfinished.length > 0 && `did not finish: ${unfinished.join(', ')}`
  ]
  return warning(
    parts.filter((part) => part !== false).join('; '),
    'Servers run them at their start and every hour: start one, or look in the log of one that ' +
      'runs for "not deleted".'
  )
}
