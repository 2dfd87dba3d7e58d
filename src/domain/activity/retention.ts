import { sql } from 'drizzle-orm'
import { ofDays } from '../../../db/intervals.ts'
import { activity } from '../../../db/schema/activity.ts'
import type { OldRows } from '../old-rows.ts'

/** The records older than `days`. */
export const oldActivity = (days: number): OldRows => ({
  table: activity,
  key: activity.id,
  at: activity.at,
  partitioned: true,
  before: sql`now() - ${ofDays(days)}`
})
