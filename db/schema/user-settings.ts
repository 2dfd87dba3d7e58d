import { sql } from 'drizzle-orm'
import { check, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, isOneOf, updatedAt } from './columns.ts'
import { ownerId } from './users.ts'

/** User settings, which the user writes, and app settings, which only services and operators do. */
export const settingsParts = ['user', 'app'] as const
export type SettingsPart = (typeof settingsParts)[number]

/** Of a document as JSON, in bytes. The database's own text is longer. */
export const settingsLimits = { bytes: 16_384, stored: 65_536 } as const

/** By name, as an app sent them. SETTINGS_SCHEMA says what each part may contain. */
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
