import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** When work that one instance does for all was last begun. */
export const jobs = pgTable('jobs', {
  name: text('name').primaryKey(),
  beganAt: timestamp('began_at', { withTimezone: true }).notNull()
})
