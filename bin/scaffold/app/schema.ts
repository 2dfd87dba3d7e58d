import { index, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from 'portal'

// Tables of an app are in the schema `app`. After a change, write its migration: npm run migration

export const notes = pgSchema('app').table(
  'notes',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    text: text('text').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow()
  },
  (table) => [index('notes_user').on(table.userId, table.createdAt)]
)
