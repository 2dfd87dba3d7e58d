import { sql } from 'drizzle-orm'
import { bigint, check, index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { bytea, createdAt, instant } from './columns.ts'
import { ownerId } from './users.ts'

/** Methods that complete a sign-in after the password. */
export const factorMethods = ['totp', 'passkey', 'recovery-code'] as const
export type FactorMethod = (typeof factorMethods)[number]

/** Methods with which a signed-in user can authenticate again. */
export const reauthenticationMethods = ['password', 'totp', 'passkey', 'provider'] as const
export type ReauthenticationMethod = (typeof reauthenticationMethods)[number]

/** Generators of one-time codes (RFC 6238). A user has at most one. */
export const totp = pgTable('totp', {
  userId: ownerId().primaryKey(),
  /** Sealed. */
  secret: bytea('secret').notNull(),
  /** The time step of the last code that was accepted: no code is accepted twice. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  confirmedAt: instant('confirmed_at').notNull(),
  createdAt: createdAt()
})

/** Codes that a user gets at a time. */
export const recoveryCodeCount = 10

/**
 * Codes for the loss of the other factors. A code has 120 random bits, so a plain SHA-256 protects
 * it (OWASP ASVS 6.5.2).
 */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: ownerId().notNull(),
    hash: bytea('hash').notNull(),
    usedAt: instant('used_at'),
    createdAt: createdAt()
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.hash] }),
    check('recovery_codes_hash', sql`octet_length(${table.hash}) = 32`)
  ]
)

/** Used challenges. Each is accepted once, because many passkeys do not count signatures. */
export const spentChallenges = pgTable(
  'spent_challenges',
  {
    hash: bytea('hash').primaryKey(),
    expiresAt: instant('expires_at').notNull()
  },
  (table) => [
    index('spent_challenges_expires').on(table.expiresAt),
    check('spent_challenges_hash', sql`octet_length(${table.hash}) = 32`)
  ]
)
