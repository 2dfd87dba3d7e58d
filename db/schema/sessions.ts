import { check, index, inet, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, instant, isOneOf } from './columns.ts'
import { users } from './users.ts'

export const revokeReasons = ['logout', 'replaced', 'session-limit', 'revoked', 'password-change', 'deactivated'] as const
export type RevokeReason = typeof revokeReasons[number]

export const sessions = pgTable('sessions', {
  id: uuid('id').primaryKey(),
  /** SHA-256 of the secret in the token: the table alone signs nobody in. */
  tokenHash: bytea('token_hash').notNull(),
  userId: uuid('user_id').notNull().references(() => users.id, { onDelete: 'cascade' }),
  createdAt: createdAt(),
  lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
  expiresAt: instant('expires_at').notNull(),
  revokedAt: instant('revoked_at'),
  revokeReason: text('revoke_reason', { enum: revokeReasons }),
  ip: inet('ip'),
  userAgent: text('user_agent')
}, (table) => [
  uniqueIndex('sessions_token_hash').on(table.tokenHash),
  index('sessions_user').on(table.userId),
  check('sessions_revoke_reason', isOneOf(table.revokeReason, revokeReasons))
])

export type SessionRow = typeof sessions.$inferSelect
