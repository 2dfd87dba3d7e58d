import { check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, hasForm, instant, isSha256 } from './columns.ts'
import { roleId } from './roles.ts'
import { ownerId, users } from './users.ts'

/**
 * The app names what a role is held for: `org:0199…`, `project:42`. A scope is compared byte
 * by byte. The portal knows only scopes in which somebody has a role.
 */
export const scopeForm = /^[a-z]{1,20}:[A-Za-z0-9_-]{1,60}$/
export const scopeLimits = {
  /** Scopes of one user. */
  ofUser: 1000,
  /** Members of one scope. */
  members: 100_000,
  /** Open invitations of one scope. */
  invitations: 50
} as const
export const invitationDays = 7
/** For how long a deleted scope cannot be used again. */
export const endedScopeDays = 90
export const memberSorts = ['id'] as const
export const invitationSorts = ['createdAt'] as const

const scope = () => text('scope').notNull()

/** Roles that users have in a scope. Their roles everywhere are in `user_roles`. */
export const scopedRoles = pgTable(
  'scoped_roles',
  {
    userId: ownerId().notNull(),
    scope: scope(),
    roleId: roleId(),
    grantedAt: instant('granted_at').notNull().defaultNow(),
    /** Null for services, operators, and users who were deleted. */
    grantedBy: uuid('granted_by').references(() => users.id, { onDelete: 'set null' })
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.scope, table.roleId] }),
    index('scoped_roles_scope').on(table.scope, table.userId),
    index('scoped_roles_role').on(table.roleId),
    index('scoped_roles_granted_by').on(table.grantedBy),
    check('scoped_roles_scope_form', hasForm(table.scope, scopeForm))
  ]
)

/** Invitations wait for the owner of an address, who may not have an account yet. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey(),
    scope: scope(),
    roleId: roleId(),
    email: text('email').notNull(),
    emailNormalized: text('email_normalized').notNull(),
    /** Their right is judged again when the invitation is accepted. */
    invitedBy: uuid('invited_by')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token in the link. */
    tokenHash: bytea('token_hash').notNull(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull()
  },
  (table) => [
    uniqueIndex('invitations_token').on(table.tokenHash),
    uniqueIndex('invitations_once').on(table.scope, table.emailNormalized, table.roleId),
    index('invitations_scope').on(table.scope, table.createdAt, table.id),
    index('invitations_email').on(table.emailNormalized),
    index('invitations_invited_by').on(table.invitedBy, table.createdAt),
    index('invitations_role').on(table.roleId),
    index('invitations_expires').on(table.expiresAt),
    check('invitations_scope_form', hasForm(table.scope, scopeForm)),
    check('invitations_token_hash', isSha256(table.tokenHash))
  ]
)

/** Scopes that were deleted: a customer of the same name must not get the members of the former. */
export const endedScopes = pgTable('ended_scopes', {
  scope: text('scope').primaryKey(),
  endedAt: instant('ended_at').notNull().defaultNow()
})
