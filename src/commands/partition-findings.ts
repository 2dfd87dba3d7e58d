import { sql } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { estimateRows } from '../../db/estimate.ts'
import { mostCounted, readCoverage } from '../../db/partitions/parts.ts'
import { activity } from '../../db/schema/activity.ts'
import { ok, problem, warning } from './findings.ts'
import type { Outcome } from './findings.ts'

/** The number of records above which deleting them one by one costs too much. */
export const manyRecords = 50_000_000
const fewestMonths = 2

/**
 * Checks whether the activity should be partitioned, and whether its partitions cover its records.
 */
export async function partitionFinding(db: Db): Promise<Outcome> {
  const coverage = await readCoverage(db)
  if (!coverage) {
    const records = await estimateRows(db, sql`select 1 from ${activity}`)
    const millions = `${Math.round(records / 1e6)} million records, not partitioned`
    return records > manyRecords && records < Infinity
      ? warning(`some ${millions}`, 'Consider: portal activity partition')
      : ok('not partitioned')
  }
  const { until, monthsLeft, strays, unfinished } = coverage
  if (unfinished) {
    return problem(
      `partitioning was interrupted; from ${dateOf(until)} on, records are rejected, and so are ` +
        'most requests',
      'Run portal activity partition before that day: it continues where it stopped.'
    )
  }
  if (strays > 0) {
    const count = strays < mostCounted ? strays : `${mostCounted} or more`
    return warning(
      `partitioned; records in the default partition: ${count}`,
      'Run: portal activity partition --repair'
    )
  }
  const finding = `partitioned until ${dateOf(until)}, ${monthsLeft} months ahead`
  return monthsLeft < fewestMonths
    ? warning(
        finding,
        'Run portal activity partition, also from a timer: deploy/portal-partitions.timer'
      )
    : ok(finding)
}

const dateOf = (time: Date) => time.toISOString().slice(0, 10)
