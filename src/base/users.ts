import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

// drizzle-kit loads the tables of an app as CommonJS, in which the whole portal cannot run. So the
// package has this file alone under the condition `portal-tables`.

/** The columns of the portal's users that a table of an app may refer to and read. */
export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  email: text('email').notNull(),
  name: text('name').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull()
})
