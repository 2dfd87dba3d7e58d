import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid
} from 'drizzle-orm/pg-core'
import { bytea, createdAt, hasBytes, hasLength, instant, isOneOf } from './columns.ts'
import { ownerId } from './users.ts'

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
