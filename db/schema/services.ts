import { isNotNull, sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid
} from 'drizzle-orm/pg-core'
import {
  bytea,
  createdAt,
  hasForm,
  hasLength,
  instant,
  isAtMost,
  isOneOf,
  isSha256,
  keyForm,
  updatedAt
} from './columns.ts'
import { descriptionLength, roleId } from './roles.ts'
import type { Assurance } from './sessions.ts'
import { nameLength, ownerId } from './users.ts'

export const serviceSorts = ['key', 'createdAt'] as const
export const serviceStatuses = ['active', 'deactivated'] as const
export const serviceKeyLength = { min: 1, max: 64 } as const
export const serviceKeyForm = keyForm

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
    check('services_name', hasLength(table.name, nameLength)),
    check('services_description', isAtMost(table.description, descriptionLength)),
    check('services_status', isOneOf(table.status, serviceStatuses))
  ]
)

const serviceId = () => uuid('service_id').references(() => services.id, { onDelete: 'cascade' })

export const serviceRoles = pgTable(
  'service_roles',
  {
    serviceId: serviceId().notNull(),
    roleId: roleId(),
    grantedAt: instant('granted_at').notNull().defaultNow()
  },
  (table) => [
    primaryKey({ columns: [table.serviceId, table.roleId] }),
    index('service_roles_role').on(table.roleId)
  ]
)

export const apiKeySorts = ['createdAt'] as const
export const apiKeyStates = ['active', 'expired', 'revoked'] as const
export const apiKeyNameLength = { min: 1, max: 80 } as const
/** After how many days a key expires, and by default. */
export const apiKeyDays = { most: 365, default: 90 } as const
/** Keys of one owner that are neither expired nor revoked. */
export const mostApiKeys = 50
/** Keys that one owner can create within 24 hours: each causes a mail, and its row stays. */
export const mostNewApiKeys = 50
/** Networks to which a key can be limited. */
export const mostNetworks = 10
/** Permissions to which a key can be limited. */
export const mostKeyPermissions = 100

/** The secrets with which machines prove who they are. The table alone opens nothing. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    /** The owner is a user or a service. */
    userId: ownerId(),
    serviceId: serviceId(),
    name: text('name').notNull(),
    /** SHA-256 of the key, which is enough for 256 random bits. */
    hash: bytea('hash').notNull(),
    /** The end of the key, by which its owner recognizes it. */
    lastFour: text('last_four').notNull(),
    /** The permissions to which the key is limited; null for all of the owner. */
    permissions: jsonb('permissions').$type<string[]>(),
    /** That of the session in which a user created it; 1 for a service. */
    assurance: smallint('assurance').$type<Assurance>().notNull(),
    /** The networks to which the key is limited, in CIDR notation; null for all. */
    networks: jsonb('networks').$type<string[]>(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    /** Written once a minute. */
    lastUsedAt: instant('last_used_at'),
    /** When the mail about its expiry was written. */
    expiryNoticeAt: instant('expiry_notice_at')
  },
  (table) => [
    uniqueIndex('api_keys_hash').on(table.hash),
    index('api_keys_user')
      .on(table.userId, table.createdAt, table.id)
      .where(isNotNull(table.userId)),
    index('api_keys_service')
      .on(table.serviceId, table.createdAt, table.id)
      .where(isNotNull(table.serviceId)),
    index('api_keys_created').on(table.createdAt, table.id),
    index('api_keys_expires').on(table.expiresAt, table.id),
    check('api_keys_owner', sql`num_nonnulls(${table.userId}, ${table.serviceId}) = 1`),
    check('api_keys_name', hasLength(table.name, apiKeyNameLength)),
    check('api_keys_hash', isSha256(table.hash)),
    check('api_keys_last_four', sql`char_length(${table.lastFour}) = 4`),
    check(
      'api_keys_assurance',
      sql`${table.assurance} = 1 or (${table.assurance} = 2 and ${table.serviceId} is null)`
    ),
    check('api_keys_expires_at', sql`${table.expiresAt} > ${table.createdAt}`)
  ]
)
