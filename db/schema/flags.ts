import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid
} from 'drizzle-orm/pg-core'
import { actorTypes } from './activity.ts'
import { createdAt, hasForm, instant, isAtMost, isOneOf, updatedAt } from './columns.ts'

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
/** A segment can ask for neither times nor other segments. */
export interface SegmentWhen {
  rolesAny?: string[]
  users?: string[]
  /** The evaluation is about any of these scopes, and the user has a role in it. */
  scopes?: string[]
  attributes?: Condition[]
  /** The name of an app setting is a path such as `limits.projects`. */
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

export const segmentSorts = ['key', 'createdAt'] as const
/** How many there can be, how many different ones a flag can name, and users in one. */
export const segmentLimits = { count: 200, inFlag: 50, users: 1000 } as const

/** A named `when`, to which rules of many flags refer. */
export const segments = pgTable(
  'segments',
  {
    key: text('key').primaryKey(),
    description: text('description').notNull().default(''),
    when: jsonb('conditions').$type<SegmentWhen>().notNull(),
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

/** How a flag was asked for: alone, or together with all others. */
export const evaluationKinds = ['single', 'bulk'] as const
/** For how many days evaluations are kept, today included. */
export const evaluationDays = 90

/** Why a flag has nothing left to decide. The first one that applies counts. */
export const staleReasons = ['disabled', 'rolled-out', 'one-variant', 'unused'] as const
/** The fewest days in which a flag was not changed. */
export const leastStaleDays = 7

/** How many values were sent to apps. Without anything about the callers. */
export const flagEvaluations = pgTable(
  'flag_evaluations',
  {
    flagKey: text('flag_key').notNull(),
    /** In UTC. */
    day: date('day').notNull(),
    /** Empty if there was no value, because a split lacked the targeting key. */
    variant: text('variant').notNull(),
    kind: text('kind', { enum: evaluationKinds }).notNull(),
    count: bigint('count', { mode: 'number' }).notNull()
  },
  (table) => [
    primaryKey({ columns: [table.flagKey, table.day, table.variant, table.kind] }),
    index('flag_evaluations_day').on(table.day)
  ]
)

export const revisionKinds = ['flag', 'segment'] as const
export const revisionChanges = ['create', 'update', 'delete', 'restore', 'import', 'found'] as const
export const revisionSorts = ['version'] as const
export const deletedSorts = ['key'] as const

/**
 * One row for each change of a flag or a segment. It has no foreign key, because it outlives them.
 */
export const flagRevisions = pgTable(
  'flag_revisions',
  {
    kind: text('kind', { enum: revisionKinds }).notNull(),
    key: text('key').notNull(),
    version: integer('version').notNull(),
    /** `found`: a state that was written without a revision, by a version before 0.2. */
    change: text('change', { enum: revisionChanges }).notNull(),
    /** Names of the changed fields. */
    fields: jsonb('fields').$type<string[]>().notNull(),
    /** Everything that a change can change; null after a deletion. */
    definition: jsonb('definition').$type<Record<string, unknown>>(),
    at: instant('at').notNull().defaultNow(),
    actorType: text('actor_type', { enum: actorTypes }),
    actorId: uuid('actor_id'),
    actorLabel: text('actor_label')
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.key, table.version] }),
    index('flag_revisions_at').on(table.at),
    index('flag_revisions_actor')
      .on(table.at)
      .where(sql`${table.actorLabel} is not null`),
    index('flag_revisions_deleted')
      .on(table.key, table.kind, table.version)
      .where(sql`${table.change} = 'delete'`)
  ]
)
