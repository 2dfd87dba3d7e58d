import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid
} from 'drizzle-orm/pg-core'
import { createdAt, hasForm, isAtMost, keyForm, updatedAt } from './columns.ts'
import { ownerId } from './users.ts'

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
    /**
     * `app`: declared by the app that is built on the portal, also after it has left it out.
     * `claimed`: an operator had created it before.
     */
    origin: text('origin', { enum: ['app', 'claimed'] }),
    createdAt: createdAt()
  },
  (table) => [
    index('permissions_created').on(table.createdAt, table.key),
    check('permissions_key_length', isAtMost(table.key, permissionKeyLength)),
    check('permissions_key_form', hasForm(table.key, permissionKeyForm))
  ]
)

export const roleSorts = ['key', 'createdAt'] as const
export const roleKeyLength = { min: 1, max: 64 } as const
export const roleKeyForm = keyForm

export const roles = pgTable(
  'roles',
  {
    id: uuid('id').primaryKey(),
    key: text('key').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    system: boolean('system').notNull().default(false),
    /** Whether the role counts only in sessions with a second factor. */
    requiresSecondFactor: boolean('requires_second_factor').notNull().default(false),
    /** Whether it is held in scopes, see scopes.ts, instead of everywhere. It never changes. */
    scoped: boolean('scoped').notNull().default(false),
    /** Incremented by every change of the role or its permissions, for the ETag. */
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (table) => [
    uniqueIndex('roles_key').on(table.key),
    index('roles_created').on(table.createdAt, table.id),
    check('roles_key_length', isAtMost(table.key, roleKeyLength)),
    check('roles_key_form', hasForm(table.key, roleKeyForm))
  ]
)

/** A column for the role that a row belongs to, and with which it is deleted. */
export const roleId = () =>
  uuid('role_id')
    .notNull()
    .references(() => roles.id, { onDelete: 'cascade' })

export const rolePermissions = pgTable(
  'role_permissions',
  {
    roleId: roleId(),
    permissionKey: text('permission_key')
      .notNull()
      .references(() => permissions.key, { onDelete: 'cascade' })
  },
  (table) => [
    primaryKey({ columns: [table.roleId, table.permissionKey] }),
    index('role_permissions_permission').on(table.permissionKey)
  ]
)

export const userRoles = pgTable(
  'user_roles',
  {
    userId: ownerId().notNull(),
    roleId: roleId()
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.roleId] }),
    index('user_roles_role').on(table.roleId, table.userId)
  ]
)
