import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, hasForm, isAtMost, isOneOf, updatedAt } from './columns.ts'

export const flagSorts = ['key', 'createdAt'] as const
export const flagKeyLength = { min: 1, max: 80 } as const
export const flagKeyForm = /^[a-z0-9]+([._-][a-z0-9]+)*$/
export const flagTypes = ['boolean', 'string', 'number', 'object'] as const
export const flagStates = ['enabled', 'disabled'] as const
export const operators = [
  'in',
  'notIn',
  'startsWith',
  'endsWith',
  'contains',
  'lt',
  'lte',
  'gt',
  'gte'
] as const
/** The sum of the weights of a split, in thousandths of a percent. */
export const totalWeight = 100_000
/** The variants of one flag: their number, and their total size as JSON. */
export const variantLimits = { count: 50, bytes: 16_384 } as const

export type FlagValue = boolean | string | number | Record<string, unknown>
export interface Condition {
  name: string
  op: (typeof operators)[number]
  values: (string | number | boolean)[]
}
/**
 * Every condition must hold. One of the roles, users or values is enough. Without conditions a rule
 * applies to everybody.
 */
export interface When extends SegmentWhen {
  /** Keys of segments, of which any holds. */
  segmentsAny?: string[]
  /** The first moment at which the rule may match, in UTC with milliseconds. */
  from?: string
  /** The first moment at which it no longer matches. */
  until?: string
}
/** What a segment can ask for: neither times nor other segments. */
export interface SegmentWhen {
  rolesAny?: string[]
  users?: string[]
  attributes?: Condition[]
  /** Of the app settings of the caller. The name is a path such as `limits.projects`. */
  appSettings?: Condition[]
}
type Serve = { variant: string } | { split: { variant: string; weight: number }[] }
export interface Rule {
  when: When
  serve: Serve
}

export const flags = pgTable(
  'feature_flags',
  {
    key: text('key').primaryKey(),
    description: text('description').notNull().default(''),
    type: text('type', { enum: flagTypes }).notNull(),
    state: text('state', { enum: flagStates }).notNull(),
    variants: jsonb('variants').$type<Record<string, FlagValue>>().notNull(),
    defaultVariant: text('default_variant').notNull(),
    offVariant: text('off_variant').notNull(),
    rules: jsonb('rules').$type<Rule[]>().notNull(),
    /** Whether callers who are not signed in can see it. */
    public: boolean('public').notNull(),
    /** Meant to stay, so it is never reported as stale. */
    permanent: boolean('permanent').notNull().default(false),
    /** Incremented by every change, for the ETag. */
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (table) => [
    index('feature_flags_created').on(table.createdAt, table.key),
    check(
      'feature_flags_key_form',
      sql`${hasForm(table.key, flagKeyForm)} and ${isAtMost(table.key, flagKeyLength)}`
    ),
    check('feature_flags_type', isOneOf(table.type, flagTypes)),
    check('feature_flags_state', isOneOf(table.state, flagStates)),
    check(
      'feature_flags_variants',
      sql`${table.variants} ? ${table.defaultVariant} and ${table.variants} ? ${table.offVariant}`
    )
  ]
)

export type FlagRow = typeof flags.$inferSelect
