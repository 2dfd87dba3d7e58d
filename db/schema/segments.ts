import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, hasForm, isAtMost, updatedAt } from './columns.ts'
import { flagKeyForm, flagKeyLength } from './flags.ts'
import type { SegmentWhen } from './flags.ts'

export const segmentSorts = ['key', 'createdAt'] as const
/** How many there can be, how many different ones a flag can name, and users in one. */
export const segmentLimits = { count: 200, inFlag: 50, users: 1000 } as const

/** A named `when`, to which rules of many flags refer. */
export const segments = pgTable(
  'segments',
  {
    key: text('key').primaryKey(),
    description: text('description').notNull().default(''),
    conditions: jsonb('conditions').$type<SegmentWhen>().notNull(),
    /** Grows with every change, for the ETag. */
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (table) => [
    index('segments_created').on(table.createdAt, table.key),
    check(
      'segments_key_form',
      sql`${hasForm(table.key, flagKeyForm)} and ${isAtMost(table.key, flagKeyLength)}`
    )
  ]
)

export type SegmentRow = typeof segments.$inferSelect
