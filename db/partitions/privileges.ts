import { sql } from 'drizzle-orm'
import type { Db } from '../engine.ts'

/**
 * Gives a new table exactly the privileges of another one. The server's role reaches partitions
 * through their parent, which needs none; but a backup and doctor read them by name, and default
 * privileges may include UPDATE, which nobody has on the activity.
 */
export async function copyPrivileges(tx: Db, from: string, to: string) {
  const entries = (table: string) => sql`(
    select '' as columns, acl.* from pg_class,
      aclexplode(coalesce(relacl, acldefault('r', relowner))) as acl
    where oid = to_regclass(${table})
    union all
    select format(' (%I)', attname), acl.* from pg_attribute, aclexplode(attacl) as acl
    where attrelid = to_regclass(${table})) as entries`
  const role = sql`case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end`
  const option = sql`case when is_grantable then ' with grant option' else '' end`
  const object = sql`${to}::text`
  const revokes = await tx
    .selectDistinct({
      statement: sql<string>`format('revoke all on %I from %s', ${object}, ${role})`
    })
    .from(entries(to))
  const grants = await tx
    .select({
      statement: sql<string>`format('grant %s%s on %I to %s%s',
        privilege_type, columns, ${object}, ${role}, ${option})`
    })
    .from(entries(from))
  for (const { statement } of [...revokes, ...grants]) await tx.execute(statement)
}
