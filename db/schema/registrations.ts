import { sql } from 'drizzle-orm'
import { check, index, inet, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, hasForm, instant } from './columns.ts'
import { passwordHashForm } from './users.ts'

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
