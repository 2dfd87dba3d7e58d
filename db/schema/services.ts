import {
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid
} from 'drizzle-orm/pg-core'
import { createdAt, hasForm, hasLength, instant, isAtMost, isOneOf, updatedAt } from './columns.ts'
import { descriptionLength } from './permissions.ts'
import { roles } from './roles.ts'

export const serviceSorts = ['key', 'createdAt'] as const
export const serviceStatuses = ['active', 'deactivated'] as const
export const serviceKeyLength = { min: 1, max: 64 } as const
/** As that of a role. */
export const serviceKeyForm = /^[a-z0-9]+(-[a-z0-9]+)*$/
export const serviceNameLength = { min: 1, max: 80 } as const

/** Accounts of machines. Not rows of `users`: they have no address, no password and no sessions. */
export const services = pgTable(
  'services',
  {
    id: uuid('id').primaryKey(),
    key: text('key').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    status: text('status', { enum: serviceStatuses }).notNull().default('active'),
    /** Incremented by every change of the service or its roles, for the ETag. */
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (table) => [
    uniqueIndex('services_key').on(table.key),
    index('services_created').on(table.createdAt, table.id),
    check('services_key_length', isAtMost(table.key, serviceKeyLength)),
    check('services_key_form', hasForm(table.key, serviceKeyForm)),
    check('services_name', hasLength(table.name, serviceNameLength)),
    check('services_description', isAtMost(table.description, descriptionLength)),
    check('services_status', isOneOf(table.status, serviceStatuses))
  ]
)

export const serviceRoles = pgTable(
  'service_roles',
  {
    serviceId: uuid('service_id')
      .notNull()
      .references(() => services.id, { onDelete: 'cascade' }),
    roleId: uuid('role_id')
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
    grantedAt: instant('granted_at').notNull().defaultNow()
  },
  (table) => [
    primaryKey({ columns: [table.serviceId, table.roleId] }),
    index('service_roles_role').on(table.roleId)
  ]
)
