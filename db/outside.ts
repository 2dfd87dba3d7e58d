import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from './engine.ts'

// An app that is built on the portal owns the schema `app`, and nothing else in the database.

/** Whether a schema is neither the app's nor the server's, as those of temporary tables are. */
const isOutside = (schema: SQL) =>
  sql`${schema} in (select oid from pg_namespace
    where nspname not in ('app', 'information_schema') and nspname !~ '^pg_(catalog|t)')`
const ofOutside = (relation: SQL) =>
  sql`${relation} in (select oid from pg_class where ${isOutside(sql`relnamespace`)})`

/** The objects outside of `app`, by their catalogs. The types of tables are left out. */
const catalogs = {
  pg_namespace: isOutside(sql`x.oid`),
  pg_extension: sql`true`,
  pg_class: isOutside(sql`relnamespace`),
  pg_constraint: isOutside(sql`connamespace`),
  // A foreign key of the app adds triggers to the table that it refers to.
  pg_trigger: sql`${ofOutside(sql`tgrelid`)} and not exists (select 1 from pg_constraint k
    where k.oid = tgconstraint and k.connamespace = to_regnamespace('app'))`,
  pg_attrdef: ofOutside(sql`adrelid`),
  pg_rewrite: ofOutside(sql`ev_class`),
  pg_policy: ofOutside(sql`polrelid`),
  pg_proc: isOutside(sql`pronamespace`),
  pg_type: sql`${isOutside(sql`typnamespace`)} and typrelid = 0 and typelem = 0`,
  pg_collation: isOutside(sql`collnamespace`),
  pg_operator: isOutside(sql`oprnamespace`),
  pg_statistic_ext: sql`${isOutside(sql`stxnamespace`)} or ${ofOutside(sql`stxrelid`)}`,
  pg_default_acl: sql`defaclnamespace is distinct from to_regnamespace('app')::oid`,
  pg_cast: sql`true`,
  pg_publication: sql`true`,
  pg_foreign_server: sql`true`,
  pg_event_trigger: sql`true`
}
/** Columns that change by themselves, or with a foreign key of the app. */
const volatile = sql`'{relpages,reltuples,relallvisible,relallfrozen,relfrozenxid,relminmxid,
  relhastriggers,relhassubclass}'::text[]`

const states = [
  ...Object.entries(catalogs).map(
    ([catalog, condition]) => sql`select pg_describe_object(${catalog}::regclass, x.oid, 0) as name,
      (to_jsonb(x) - ${volatile})::text as state
      from ${sql.identifier(catalog)} x where ${condition}`
  ),
  sql`select pg_describe_object('pg_class'::regclass, attrelid, attnum), row(atttypid, atttypmod,
      attnotnull, attidentity, attgenerated, attcollation, attacl, attoptions)::text
    from pg_attribute where attnum > 0 and not attisdropped and ${ofOutside(sql`attrelid`)}`,
  sql`select 'comment on ' || pg_describe_object(classoid, objoid, objsubid), description
    from pg_description where classoid = 'pg_class'::regclass and ${ofOutside(sql`objoid`)}`,
  // With a view of the app, or a column of the type of a table, later migrations of the portal
  // could not change the table.
  sql`select distinct pg_describe_object(classid, objid, objsubid) || ', which needs '
      || pg_describe_object(refclassid, refobjid, 0), ''
    from pg_depend where (refclassid = 'pg_class'::regclass and ${ofOutside(sql`refobjid`)}
        or refclassid = 'pg_type'::regclass and refobjid in (select unnest(array[t.oid, typarray])
          from pg_type t where typrelid <> 0 and ${isOutside(sql`typnamespace`)}))
      and classid::regclass::text in ('pg_class', 'pg_rewrite', 'pg_policy', 'pg_proc')`,
  sql`select 'rows of table ' || relid::regclass, (n_tup_ins + n_tup_upd + n_tup_del)::text
    from pg_stat_xact_user_tables where ${ofOutside(sql`relid`)}`,
  sql`select 'setting of a role or a database', string_agg(s::text, ' ' order by s::text)
    from pg_db_role_setting s`,
  sql`select 'role ' || rolname, to_jsonb(r)::text from pg_roles r`,
  sql`select 'members of role ' || roleid::regrole, string_agg(m::text, ' ' order by m::text)
    from pg_auth_members m group by roleid`,
  // It would outlive the migration, and on PGlite in the only connection of the portal.
  sql`select 'setting ' || name, setting from pg_settings where source = 'session'`,
  sql`select 'the current role', current_user`,
  // Names without a schema first lead to the one that is called like the role.
  sql`select 'the search path of a role called app: use another role', current_schemas(false)::text
    where current_user = 'app'`
]

/** The state of each thing outside of the schema `app`, by its name. */
export async function readOutside(db: Db): Promise<Map<string, string>> {
  const rows = await db
    .select({ name: sql<string>`name`, state: sql<string>`state` })
    .from(sql`(${sql.join(states, sql` union all `)}) as outside`)
  return new Map(rows.map((row) => [row.name, row.state]))
}

/** Names change with the setting of the search path, and a table takes much with it. */
const first = ['setting', 'schema', 'extension', 'table'].reverse()
const rankOf = (name: string) => first.findIndex((kind) => name.startsWith(`${kind} `))

/** Says what happened between two states, the most important first: "creates table notes". */
export const differences = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .sort((one, other) => rankOf(other) - rankOf(one))
    .map((name) => {
      if (!before.has(name)) return `creates ${name}`
      return `${after.has(name) ? 'changes' : 'drops'} ${name}`
    })

/**
 * Says which foreign keys of the app refer to anything but users(id), or keep a user from being
 * deleted: also those between tables of the app, when rows of one are deleted with the user.
 */
export async function findForbiddenKeys(db: Db): Promise<string[]> {
  const rows = await db
    .select({
      key: sql<string>`conname || ' of ' || conrelid::regclass`,
      refers: sql<string>`confrelid::regclass::text`,
      blocks: sql<boolean>`blocks`
    })
    .from(
      sql`(with recursive deleted (id) as (
          select to_regclass('users')::oid
          union
          select conrelid from pg_constraint join deleted on confrelid = deleted.id
          where contype = 'f' and confdeltype = 'c' and connamespace = to_regnamespace('app')
        )
        select conname, conrelid, confrelid,
          confrelid in (select id from deleted) and not (confdeltype = 'c' or confdeltype = 'n'
            and not exists (select 1 from pg_attribute where attrelid = conrelid and attnotnull
              and attnum = any (coalesce(confdelsetcols, conkey)))) as blocks,
          confrelid in (select oid from pg_class where relnamespace = to_regnamespace('app'))
            or confrelid = to_regclass('users') and confkey = array(select attnum
              from pg_attribute where attrelid = confrelid and attname = 'id') as allowed
        from pg_constraint where contype = 'f' and connamespace = to_regnamespace('app')
      ) as keys`
    )
    .where(sql`blocks or not allowed`)
    .orderBy(sql`1`)
  return rows.map(({ key, refers, blocks }) => {
    const why = blocks ? 'keeps users from being deleted' : `refers to ${refers}`
    return `has the foreign key ${key}, which ${why}`
  })
}
