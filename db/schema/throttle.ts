import { index, integer, pgTable, timestamp } from 'drizzle-orm/pg-core'
import { bytea } from './columns.ts'

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
  (table) => [
    // For deleting old rows. Built while instances of the previous version write to the table.
    index('throttle_tat').on(table.tat).concurrently()
  ]
)
