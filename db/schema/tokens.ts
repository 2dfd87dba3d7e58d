import { isNotNull, sql } from 'drizzle-orm'
import { check, index, inet, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, hasForm, instant, isOneOf, isSha256 } from './columns.ts'
import { ownerId, passwordHashForm } from './users.ts'

/** Accounts that do not exist yet: each waits for its mailbox to be proved. */
export const registrations = pgTable(
  'registrations',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    emailNormalized: text('email_normalized').notNull(),
    name: text('name').notNull(),
    /** Null: the provider account completes it, instead of the password. */
    passwordHash: text('password_hash'),
    provider: text('provider'),
    issuer: text('issuer'),
    subject: text('subject'),
    locale: text('locale'),
    ip: inet('ip'),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull()
  },
  (table) => [
    // Not unique: several people may register an address, and only its owner can confirm.
    index('registrations_email').on(table.emailNormalized, table.createdAt),
    index('registrations_expires').on(table.expiresAt),
    check('registrations_password_hash', hasForm(table.passwordHash, passwordHashForm)),
    check(
      'registrations_proof',
      sql`(${table.passwordHash} is null) = (${table.subject} is not null)
        and num_nonnulls(${table.provider}, ${table.issuer}, ${table.subject}) in (0, 3)`
    )
  ]
)

export const tokenPurposes = [
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
    check('tokens_hash', isSha256(table.hash)),
    check('tokens_purpose', isOneOf(table.purpose, tokenPurposes)),
    check('tokens_owner', sql`num_nonnulls(${table.userId}, ${table.registrationId}) = 1`)
  ]
)
