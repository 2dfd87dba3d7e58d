import { sql } from 'drizzle-orm'
import { boolean, check, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'

export const permissions = pgTable('permissions', {
  key: text('key').primaryKey(),
  description: text('description').notNull().default(''),
  system: boolean('system').notNull().default(false),
  createdAt: createdAt()
}, (table) => [
  check('permissions_key_form', sql`${table.key} ~ '^[a-z0-9]+(-[a-z0-9]+)*:[a-z0-9]+(-[a-z0-9]+)*$'`)
])
