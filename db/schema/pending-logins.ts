import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, smallint, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, instant } from './columns.ts'
import { ownerId } from './users.ts'

/** The charge of an attempt (src/domain/throttling), with its keys in base64. */
export type StoredCharge = {
  key: string
  seconds: number
  success?: 'clears'
  alsoClears?: string
}[]

/** A provider account that is not linked yet. */
export interface StoredLink {
  /** Key of the provider. */
  provider: string
  issuer: string
  subject: string
  email: string
  /** Keys of the roles that the user should have, if the provider says so. */
  roles?: string[]
}

/** Sign-ins with a right password, or with a provider, that wait for the second factor. */
export const pendingLogins = pgTable(
  'pending_logins',
  {
    /** SHA-256 of the secret in the login cookie. */
    tokenHash: bytea('token_hash').primaryKey(),
    userId: ownerId().notNull(),
    /** Version of the password that was compared: a change of it ends the sign-in. */
    credentialVersion: integer('credential_version').notNull(),
    /** Codes that were tried. */
    tries: smallint('tries').notNull().default(0),
    /** What the password check was charged to the rate limits: refunded after the second factor. */
    charge: jsonb('charge').$type<StoredCharge>().notNull(),
    /** The provider account that the sign-in began with. Null: with the password. */
    providerAccountId: uuid('provider_account_id'),
    /** The account to link under this id at the end of the sign-in. Null: it is linked already. */
    link: jsonb('link').$type<StoredLink>(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull()
  },
  (table) => [
    index('pending_logins_user').on(table.userId, table.createdAt),
    index('pending_logins_expires').on(table.expiresAt),
    check('pending_logins_token_hash', sql`octet_length(${table.tokenHash}) = 32`)
  ]
)
