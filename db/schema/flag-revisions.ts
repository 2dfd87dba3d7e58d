import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { actorTypes } from './activity.ts'
import { instant } from './columns.ts'

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
