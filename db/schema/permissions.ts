import { boolean, check, index, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, hasForm, isAtMost } from './columns.ts'

export const permissionSorts = ['key', 'createdAt'] as const
export const permissionKeyLength = { min: 3, max: 80 } as const
export const permissionKeyForm = /^[a-z0-9]+(-[a-z0-9]+)*:[a-z0-9]+(-[a-z0-9]+)*$/
export const descriptionLength = { min: 0, max: 300 } as const

export const permissions = pgTable(
  'permissions',
  {
    key: text('key').primaryKey(),
    description: text('description').notNull().default(''),
    system: boolean('system').notNull().default(false),
    createdAt: createdAt()
  },
  (table) => [
    index('permissions_created').on(table.createdAt, table.key),
    check('permissions_key_length', isAtMost(table.key, permissionKeyLength)),
    check('permissions_key_form', hasForm(table.key, permissionKeyForm))
  ]
)
