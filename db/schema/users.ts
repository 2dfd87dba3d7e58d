import { isNotNull, sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid
} from 'drizzle-orm/pg-core'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import {
  createdAt,
  hasForm,
  hasLength,
  instant,
  isOneOf,
  searchText,
  updatedAt
} from './columns.ts'

interface FieldSource {
  /** In code points. */
  maxLength: number
  description?: string
  example: string
}

/**
 * The fields of a profile. The API document and the options of the command line follow from this
 * table, and the compiler reports what else a new field needs.
 */
export const profileFields = {
  bio: { maxLength: 500, example: 'Wrote the first program.' },
  avatarUrl: {
    maxLength: 2048,
    description: 'https URL of an image',
    example: 'https://example.com/ada.png'
  },
  website: { maxLength: 2048, description: 'https URL', example: 'https://example.com/' },
  location: { maxLength: 80, example: 'London' },
  pronouns: { maxLength: 40, example: 'she/her' },
  locale: { maxLength: 35, description: 'Language tag (BCP 47)', example: 'en-GB' },
  timeZone: {
    maxLength: 64,
    description: 'Time zone name (IANA time zone database)',
    example: 'Europe/London'
  }
} as const satisfies Record<string, FieldSource>

export type ProfileField = keyof typeof profileFields
export const profileFieldNames = Object.keys(profileFields) as ProfileField[]

const profileColumns = {
  bio: text('bio'),
  avatarUrl: text('avatar_url'),
  website: text('website'),
  location: text('location'),
  pronouns: text('pronouns'),
  locale: text('locale'),
  timeZone: text('time_zone')
} satisfies Record<ProfileField, unknown>

export const themes = ['light', 'dark', 'system'] as const
export const userStatuses = ['active', 'deactivated'] as const
export const userSorts = ['createdAt', 'email', 'name'] as const
/** Users, roles and services have names of this length: `cleanName` checks them. */
export const nameLength = { min: 1, max: 80 } as const
export const emailLength = { min: 3, max: 254 } as const
/** In code points. `PASSWORD_MIN_LENGTH` can raise the minimum. */
export const passwordLength = { min: 8, max: 128 } as const
/**
 * The format of bcrypt, with cost 04 to 15. The prefix "h384:" marks a password of 72 bytes or more
 * (src/domain/passwords).
 */
export const passwordHashForm = /^(h384:)?[$]2[aby][$](0[4-9]|1[0-5])[$][./A-Za-z0-9]{53}$/
/**
 * A hash of another system, as an import writes it: `f1:SCHEME:PARAMETERS:SALT:HASH`
 * (src/domain/passwords/foreign-comparison.js). The first sign-in replaces it.
 */
export const foreignHashForm =
  /^f1:(scrypt(-nfkc)?|firebase|argon2id?|pbkdf2-sha(256|512)):[\d.]{1,32}(:[+-9A-Za-z]{11,88}){2}$/
/** The condition of the index `users_foreign_hash`, which a query must repeat to use it. */
export const isForeignHash = (column: AnyPgColumn) => sql`left(${column}, 3) = 'f1:'`

/** The id is a UUIDv7 of the millisecond in `created_at`, or the UUID of another system. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** The address in the spelling of the user. */
    email: text('email').notNull(),
    /** The unique form: see normalizeEmail. */
    emailNormalized: text('email_normalized').notNull(),
    /** When its owner proved that mail to the address reaches them. */
    emailVerifiedAt: instant('email_verified_at'),
    name: text('name').notNull(),
    theme: text('theme', { enum: themes }).notNull().default('system'),
    ...profileColumns,
    status: text('status', { enum: userStatuses }).notNull().default('active'),
    /** Absent for a user who has no password yet and cannot sign in with one. */
    passwordHash: text('password_hash'),
    /**
     * Incremented by every change of the password, and when the user requires a second factor. It
     * rejects sign-ins that began before, and makes known devices unknown.
     */
    credentialVersion: integer('credential_version').notNull().default(1),
    /** Whether the password alone is not enough to sign in. */
    secondFactor: boolean('second_factor').notNull().default(false),
    /** Incremented by every change of the user or their roles, for the ETag. */
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    lastLoginAt: instant('last_login_at'),
    /** When a link that was sent by mail last set the password. */
    recoveredAt: instant('recovered_at'),
    /** When an account is deleted that its user can still restore. Its status is `deactivated`. */
    deleteAt: instant('delete_at')
  },
  (table) => [
    uniqueIndex('users_email_normalized').on(table.emailNormalized),
    index('users_name').on(table.name, table.id),
    index('users_created').on(table.createdAt, table.id).concurrently(),
    index('users_status_created').on(table.status, table.createdAt, table.id).concurrently(),
    index('users_status_email').on(table.status, table.emailNormalized),
    index('users_status_name').on(table.status, table.name, table.id),
    // Trigrams find any part of a name or an address. A migration creates the extension pg_trgm.
    index('users_search')
      .using('gin', sql`(${searchText(table.name, table.emailNormalized)}) gin_trgm_ops`)
      .concurrently(),
    index('users_foreign_hash')
      .on(table.id)
      .where(isForeignHash(table.passwordHash))
      .concurrently(),
    index('users_delete_at')
      .on(table.deleteAt, table.id)
      .where(isNotNull(table.deleteAt))
      .concurrently(),
    check('users_theme', isOneOf(table.theme, themes)),
    check('users_status', isOneOf(table.status, userStatuses)),
    check('users_name', hasLength(table.name, nameLength)),
    check('users_email', hasLength(table.email, emailLength)),
    check(
      'users_password_hash',
      sql.join(
        [passwordHashForm, foreignHashForm].map((form) => hasForm(table.passwordHash, form)),
        sql` or `
      )
    )
  ]
)

export type UserRow = typeof users.$inferSelect

/** A column for the user that a row belongs to, and with whom it is deleted. */
export const ownerId = () => uuid('user_id').references(() => users.id, { onDelete: 'cascade' })

/** User settings, which the user writes, and app settings, which only services and operators do. */
export const settingsParts = ['user', 'app'] as const
export type SettingsPart = (typeof settingsParts)[number]

/** Sizes in bytes: a document is limited as JSON, and the database's own text is longer. */
export const settingsLimits = { bytes: 16_384, stored: 65_536 } as const

/** Settings by name. SETTINGS_SCHEMA says what each part may contain. */
export type SettingsDocument = Record<string, unknown>

/** The settings that an app keeps for a user. No row means an empty document of version 0. */
export const userSettings = pgTable(
  'user_settings',
  {
    userId: ownerId().notNull(),
    part: text('part', { enum: settingsParts }).notNull(),
    document: jsonb('document').$type<SettingsDocument>().notNull().default({}),
    /** Incremented by every change, for the ETag. */
    version: integer('version').notNull().default(0),
    /** When a change by the user was last recorded. */
    recordedAt: instant('recorded_at'),
    updatedAt: updatedAt()
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.part] }),
    check('user_settings_part', isOneOf(table.part, settingsParts)),
    check(
      'user_settings_document',
      sql`octet_length(${table.document}::text) <= ${settingsLimits.stored}`.inlineParams()
    )
  ]
)
