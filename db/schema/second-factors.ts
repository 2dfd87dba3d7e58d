import { sql } from 'drizzle-orm'
import {
  bigint,
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
import { bytea, createdAt, hasBytes, hasLength, instant, isOneOf, isSha256 } from './columns.ts'
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
    check('recovery_codes_hash', isSha256(table.hash))
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
    check('spent_challenges_hash', isSha256(table.hash))
  ]
)

/** `single`: bound to one device. `multi`: may be copied to others, as synced passkeys are. */
export const passkeyDeviceTypes = ['single', 'multi'] as const
export const passkeyNameLength = { min: 1, max: 40 } as const
export const mostPasskeys = 20
/** Maximum number of bytes that WebAuthn allows. */
export const mostCredentialIdBytes = 1023

/** Public keys of WebAuthn credentials. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    userId: ownerId().notNull(),
    /** Chosen by the authenticator. */
    credentialId: bytea('credential_id').notNull(),
    /** COSE_Key (RFC 9052). */
    publicKey: bytea('public_key').notNull(),
    /** COSE algorithm: -8, -7 or -257. */
    algorithm: integer('algorithm').notNull(),
    /** Signatures that the authenticator has counted, or 0 when it does not count. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** Separated by spaces, such as "internal hybrid". */
    transports: text('transports').notNull().default(''),
    /** The model of the authenticator. */
    aaguid: uuid('aaguid').notNull(),
    deviceType: text('device_type', { enum: passkeyDeviceTypes }).notNull(),
    backedUp: boolean('backed_up').notNull(),
    /** The relying party that it was created for. It cannot sign in to others. */
    rpId: text('rp_id').notNull(),
    name: text('name').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at')
  },
  (table) => [
    uniqueIndex('passkeys_credential').on(table.credentialId),
    index('passkeys_user').on(table.userId, table.createdAt, table.id),
    check(
      'passkeys_credential_id',
      hasBytes(table.credentialId, { min: 1, max: mostCredentialIdBytes })
    ),
    check('passkeys_public_key', hasBytes(table.publicKey, { min: 1, max: 4096 })),
    check('passkeys_counter', sql`${table.counter} between 0 and 4294967295`),
    check('passkeys_device_type', isOneOf(table.deviceType, passkeyDeviceTypes)),
    check('passkeys_name', hasLength(table.name, passkeyNameLength))
  ]
)

export type PasskeyRow = typeof passkeys.$inferSelect
