import { lte } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { evaluationDays, flagEvaluations } from '../../../db/schema/flag-evaluations.ts'
import { transaction } from '../../../db/transaction.ts'
import { dayBefore } from '../flags/daily-evaluations.ts'

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
