import { getTableName, sql } from 'drizzle-orm'
import type { Db } from './engine.ts'
import { tables } from './tables.ts'

/**
 * GRANT statements for the privileges that a server needs and the role of this connection lacks.
 * Empty for the owner of the tables, and before they exist.
 * @param forgets whether the server removes addresses from activity records (ACTIVITY_FORGET)
 * @param withApp whether an app has tables of its own
 */
export async function missingGrants(db: Db, forgets = false, withApp = false): Promise<string[]> {
  const names = tables.map((table) => sql`${getTableName(table)}`)
  // From the catalogs, which every role may read.
  const needed = sql`(
    select 0 as place, format('SCHEMA %I', nspname) as object, 'USAGE' as privilege, 1 as rank,
      has_schema_privilege(oid, 'USAGE') as held
    from pg_namespace
    where nspname in ('public', 'drizzle') or (nspname = 'app' and ${withApp}::boolean)
    union all
    select 1, format('TABLE %I.%I', nspname, relname), privilege, rank,
      has_table_privilege(c.oid, privilege)
    from pg_class c join pg_namespace n on n.oid = relnamespace,
      (values ('SELECT', 1), ('INSERT', 2), ('UPDATE', 3), ('DELETE', 4)) as p (privilege, rank)
    where (nspname = 'public' and relname in (${sql.join(names, sql`, `)})
        and (${forgets}::boolean or relname <> 'activity' or privilege <> 'UPDATE'))
      or (nspname = 'drizzle' and relname = '__drizzle_migrations' and privilege = 'SELECT')
      or (${withApp}::boolean and (nspname = 'app' and relkind in ('r', 'p')
        or nspname = 'drizzle' and relname = '__app_migrations' and privilege = 'SELECT'))
    union all
    select 2, 'ALL SEQUENCES IN SCHEMA app', 'USAGE', 1,
      coalesce(bool_and(has_sequence_privilege(oid, 'USAGE')), true)
    from pg_class
    where ${withApp}::boolean and relnamespace = to_regnamespace('app') and relkind = 'S'
  ) as needed`
  const privileges = sql`string_agg(privilege, ', ' order by rank)`
  const grant = sql<string>`format('GRANT %s ON %s TO %I;', ${privileges}, object, current_user)`
  const rows = await db
    .select({ grant })
    .from(needed)
    .where(sql`not held`)
    .groupBy(sql`place, object`)
    .orderBy(sql`place, object`)
  return rows.map((row) => row.grant)
}
