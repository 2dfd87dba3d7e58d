import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** The last start of each job that one instance runs for all. */
export const jobs = pgTable('jobs', {
  name: text('name').primaryKey(),
  beganAt: timestamp('began_at', { withTimezone: true }).notNull()
})
