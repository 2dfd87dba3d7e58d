import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'

// Raw SQL, as in src/domain/users/users.ts.

const roleKeysThat = (condition: SQL) => sql<string[]>`to_json(array(
  select r.key from service_roles sr join roles r on r.id = sr.role_id
  where sr.service_id = services.id and ${condition} order by 1))`

const permissionKeysThat = (condition: SQL) => sql<string[]>`to_json(array(
  select distinct rp.permission_key
  from service_roles sr
    join roles r on r.id = sr.role_id
    join role_permissions rp on rp.role_id = sr.role_id
  where sr.service_id = services.id and ${condition} order by 1))`

const counts = sql`not r.requires_second_factor`

/** The roles and permissions of a service, for a select from `services`. */
export const serviceRights = {
  /** All of its roles, also those that do not count. */
  roles: roleKeysThat(sql`true`),
  /** Those that count: a service never has a second factor. */
  countingRoles: roleKeysThat(counts),
  permissions: permissionKeysThat(counts),
  /** With those of the roles that do not count now, but would without their requirement. */
  allPermissions: permissionKeysThat(sql`true`)
}

/**
 * What a key may do: what its owner may do at this moment, limited to the key's own list. A key
 * with a list carries no roles, because a role would say more than the list.
 */
export const effectiveRights = (
  owner: { roles: string[]; permissions: string[] },
  list: readonly string[] | null
) =>
  list === null
    ? owner
    : { roles: [], permissions: owner.permissions.filter((each) => list.includes(each)) }
