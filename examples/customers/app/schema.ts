import { index, integer, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'

export const invoices = pgSchema('app').table(
  'invoices',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** The scope of the customer, such as org:acme. */
    customer: text('customer').notNull(),
    item: text('item').notNull(),
    cents: integer('cents').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow()
  },
  (table) => [index('invoices_customer').on(table.customer, table.createdAt)]
)
