import { index, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from 'portal'

export const orders = pgSchema('app').table(
  'orders',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    item: text('item').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    shippedAt: timestamp('shipped_at', { withTimezone: true })
  },
  (table) => [index('orders_user').on(table.userId, table.createdAt)]
)
