import { isNotNull, isNull, sql } from 'drizzle-orm'
import {
  check,
  index,
  inet,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid
} from 'drizzle-orm/pg-core'
import { bytea, createdAt, hasForm, instant, isOneOf, isSha256 } from './columns.ts'
import { ownerId } from './users.ts'

export const revokeReasons = [
  'logout',
  'replaced',
  'session-limit',
  'revoked',
  'password-change',
  'password-reset',
  'second-factor',
  'provider',
  'deactivated'
] as const
export type RevokeReason = (typeof revokeReasons)[number]
export const sessionSorts = ['createdAt'] as const
/** How many factors were proved in a session. */
export type Assurance = 1 | 2
/** Authentication methods (RFC 8176), separated by spaces. */
const amrForm = /^[a-z]{2,10}( [a-z]{2,10})*$/
export const sessionStates = ['active', 'expired', 'revoked'] as const

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    /** SHA-256 of the secret in the token, so that nobody can sign in with a copy of the table. */
    tokenHash: bytea('token_hash').notNull(),
    /** The hash before the last authentication: a logout under way with it ends the session. */
    previousTokenHash: bytea('previous_token_hash'),
    /** When the secret was last replaced. */
    secretReplacedAt: instant('secret_replaced_at'),
    userId: ownerId().notNull(),
    createdAt: createdAt(),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    revokeReason: text('revoke_reason', { enum: revokeReasons }),
    /**
     * When the user last authenticated, if not at the sign-in: later, or at a provider before it.
     */
    reauthenticatedAt: instant('reauthenticated_at'),
    /** Authentication methods (RFC 8176), separated by spaces. */
    amr: text('amr').notNull().default('pwd'),
    /** Sealed. The secret of an authenticator app in setup by this session. */
    pendingTotp: bytea('pending_totp'),
    assurance: smallint('assurance').$type<Assurance>().notNull().default(1),
    ip: inet('ip'),
    userAgent: text('user_agent'),
    /**
     * The provider account that it began with. Without a foreign key: unlinking ends the session,
     * and the row stays.
     */
    providerAccountId: uuid('provider_account_id')
  },
  (table) => [
    uniqueIndex('sessions_token_hash').on(table.tokenHash),
    index('sessions_created').on(table.createdAt, table.id),
    index('sessions_open').on(table.createdAt, table.id).where(isNull(table.revokedAt)),
    index('sessions_revoked').on(table.createdAt, table.id).where(isNotNull(table.revokedAt)),
    index('sessions_user').on(table.userId, table.createdAt, table.id),
    index('sessions_user_open')
      .on(table.userId, table.createdAt, table.id)
      .where(isNull(table.revokedAt)),
    index('sessions_provider_account')
      .on(table.providerAccountId)
      .where(isNotNull(table.providerAccountId))
      .concurrently(),
    // For deleting dead sessions.
    index('sessions_ended').on(sql`least(${table.revokedAt}, ${table.expiresAt})`),
    check('sessions_revoke_reason', isOneOf(table.revokeReason, revokeReasons)),
    check('sessions_amr', hasForm(table.amr, amrForm)),
    check('sessions_assurance', sql`${table.assurance} in (1, 2)`)
  ]
)

/** When it was revoked or expires. An idle one ends before. The expression of an index. */
export const endedAt = sql<Date>`least(${sessions.revokedAt}, ${sessions.expiresAt})`

/** When the user last authenticated. */
export const authenticatedAt = sql<Date>`coalesce(
  ${sessions.reauthenticatedAt}, ${sessions.createdAt})`.mapWith(sessions.createdAt)

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
    /** The charge of the password check, which is refunded after the second factor. */
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
    check('pending_logins_token_hash', isSha256(table.tokenHash))
  ]
)
