import { index, integer, pgTable, timestamp } from 'drizzle-orm/pg-core'
import { bytea } from './columns.ts'

/** How much of each budget is used, across all instances. A bucket's name is an HMAC: the table holds no address and no e-mail. */
export const throttle = pgTable(
  'throttle',
  {
    bucket: bytea('bucket').primaryKey(),
    /** When the budget is whole again (GCRA's theoretical arrival time). In microseconds: two tries in one millisecond must add up. */
    tat: timestamp('tat', { precision: 6, withTimezone: true }).notNull(),
    /** Tries since the last success. */
    fails: integer('fails').notNull()
  },
  (table) => [
    // For deleting old rows; built while instances of the version before write to the table.
    index('throttle_tat').on(table.tat).concurrently()
  ]
)
