import { gte, lt } from 'drizzle-orm'
import { index, integer, pgTable, timestamp } from 'drizzle-orm/pg-core'
import { bytea } from './columns.ts'

/** Failures in a row after which attempts on an account become slow. */
export const slowAfter = 100

/**
 * The state of the rate limits, shared by all instances. The name of a bucket is an HMAC, so that
 * the table contains no IP and e-mail addresses.
 */
export const throttle = pgTable(
  'throttle',
  {
    bucket: bytea('bucket').primaryKey(),
    /**
     * When the full limit is available again (GCRA's theoretical arrival time). In microseconds, so
     * that two attempts in one millisecond add up.
     */
    tat: timestamp('tat', { precision: 6, withTimezone: true }).notNull(),
    /** Attempts since the last success. */
    fails: integer('fails').notNull()
  },
  ({ tat, fails }) => [
    // For deleting old rows, which are kept for a day or a year. Each row is in one of the two
    // indexes.
    index('throttle_quick').on(tat).where(lt(fails, slowAfter).inlineParams()),
    index('throttle_slow').on(tat).where(gte(fails, slowAfter).inlineParams())
  ]
)

// The conditions of the indexes. With a parameter the planner could not use them.
export const isQuick = lt(throttle.fails, slowAfter).inlineParams()
export const isSlow = gte(throttle.fails, slowAfter).inlineParams()
