import { bigint, date, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/** How a flag was asked for: alone, or together with all others. */
export const evaluationKinds = ['single', 'bulk'] as const
/** For how many days evaluations are kept, today included. */
export const evaluationDays = 90

/** Why a flag has nothing left to decide. The first one that applies counts. */
export const staleReasons = ['disabled', 'rolled-out', 'one-variant', 'unused'] as const
/** The fewest days in which a flag was not changed. */
export const leastStaleDays = 7

/** How many values were sent to apps. Without anything about the callers. */
export const flagEvaluations = pgTable(
  'flag_evaluations',
  {
    flagKey: text('flag_key').notNull(),
    /** In UTC. */
    day: date('day').notNull(),
    /** Empty if there was no value, because a split lacked the targeting key. */
    variant: text('variant').notNull(),
    kind: text('kind', { enum: evaluationKinds }).notNull(),
    count: bigint('count', { mode: 'number' }).notNull()
  },
  (table) => [
    primaryKey({ columns: [table.flagKey, table.day, table.variant, table.kind] }),
    index('flag_evaluations_day').on(table.day)
  ]
)
