import { sql } from 'drizzle-orm'
import type { Db } from '../engine.ts'
import { PartitionProblem } from '../errors.ts'
import { requireOwner } from './brief-lock.ts'

/**
 * Checks additions of an operator to the table, and its owner.
 * @param own names of unique indexes that belong to the partitioning
 * @throws PartitionProblem
 */
export async function requireSuitable(db: Db, own: string[]) {
  await requireOwner(db)
  const found = await findDependents(db, own)
  if (found.length > 0) {
    throw new PartitionProblem(
      'activity-extended',
      `These objects belong to the table as it is: ${found.join(', ')}. They would not cover new ` +
        'records. Drop them, run this command again, then create them again.'
    )
  }
}

const kinds = ['view', 'trigger', 'policy', 'publication', 'foreign key', 'unique index']

/** Objects that would stay with the old part, or that a partitioned table cannot have. */
async function findDependents(db: Db, own: string[]) {
  const rows = await db.select({ kind: sql<number>`kind`, name: sql<string>`name` }).from(
    sql`(select to_regclass('activity')::oid as oid) as activity, lateral (
        select distinct 0, ev_class::regclass::text
        from pg_depend join pg_rewrite on pg_rewrite.oid = objid
        where classid = 'pg_rewrite'::regclass and refclassid = 'pg_class'::regclass
          and refobjid = activity.oid
        union all select 1, tgname from pg_trigger
        where tgrelid = activity.oid and not tgisinternal
        union all select 2, polname from pg_policy where polrelid = activity.oid
        union all select 3, pubname
        from pg_publication_rel join pg_publication on pg_publication.oid = prpubid
        where prrelid = activity.oid
        union all select 4, conname from pg_constraint
        where contype = 'f' and activity.oid in (conrelid, confrelid)
        union all select 5, relname from pg_index join pg_class on pg_class.oid = indexrelid
        where indrelid = activity.oid and indisunique and not indisprimary
          and relname not in (${sql.join(
            own.map((name) => sql`${name}`),
            sql`, `
          )})
      ) as dependents (kind, name)`
  )
  return rows.map(({ kind, name }) => `${kinds[kind]} ${name}`)
}
