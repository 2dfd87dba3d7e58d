import { isNotNull, sql } from 'drizzle-orm'
import { check, index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, instant, isOneOf } from './columns.ts'
import { registrations } from './registrations.ts'
import { ownerId } from './users.ts'

const tokenPurposes = [
  'confirm',
  'password-reset',
  'email-change',
  'email-revert',
  'factor-enrolment',
  'factor-revert',
  'restore',
  'key-revocation'
] as const
export type TokenPurpose = (typeof tokenPurposes)[number]

/** One-time tokens, as the links of mails carry them. */
export const tokens = pgTable(
  'tokens',
  {
    /** SHA-256 of the token: the table alone opens nothing. */
    hash: bytea('hash').primaryKey(),
    purpose: text('purpose', { enum: tokenPurposes }).notNull(),
    userId: ownerId(),
    registrationId: uuid('registration_id').references(() => registrations.id, {
      onDelete: 'cascade'
    }),
    /** The address that it was sent to, or that it leads to. */
    email: text('email'),
    /** The unique form of an address that a revert link leads to: nobody else can take it. */
    reservedEmail: text('reserved_email'),
    /** Number of attempts at a second proof, such as a password, that were begun with the token. */
    tries: smallint('tries').notNull().default(0),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull()
  },
  (table) => [
    index('tokens_user').on(table.userId, table.purpose, table.createdAt),
    index('tokens_expires').on(table.expiresAt),
    index('tokens_reserved_email').on(table.reservedEmail).where(isNotNull(table.reservedEmail)),
    index('tokens_registration').on(table.registrationId).where(isNotNull(table.registrationId)),
    check('tokens_hash', sql`octet_length(${table.hash}) = 32`),
    check('tokens_purpose', isOneOf(table.purpose, tokenPurposes)),
    check('tokens_owner', sql`num_nonnulls(${table.userId}, ${table.registrationId}) = 1`)
  ]
)
