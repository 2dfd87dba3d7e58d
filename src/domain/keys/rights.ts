import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { apiKeys, services } from '../../../db/schema/services.ts'
import { users } from '../../../db/schema/users.ts'
import type { UserTags } from '../freshness/user-epochs.ts'
import {
  assuranceOfKey,
  currentUserForKey,
  isMember,
  keysHeld,
  scopedRightsOf,
  suspendedAnywhere
} from '../users/users.ts'
import type { ScopedRights } from '../users/users.ts'

const held = keysHeld(sql`service_roles`, sql`held.service_id = services.id`)
const counts = sql`not r.requires_second_factor`

/** The roles and permissions of a service, for a select from `services`. */
export const serviceRights = {
  /** All of its roles, also those that do not count. */
  roles: held.roles(sql`true`),
  /** A service never has a second factor, so roles that require one do not count. */
  countingRoles: held.roles(counts),
  permissions: held.permissions(counts),
  /** With those of the roles that do not count now, but would without their requirement. */
  allPermissions: held.permissions(sql`true`)
}

/**
 * The rights of a key are the present rights of its owner, limited to the key's own list. A key
 * with a list carries no roles, because a role would say more than the list.
 */
export const effectiveRights = (
  owner: { roles: string[]; permissions: string[] },
  list: readonly string[] | null
) =>
  list === null
    ? owner
    : { roles: [], permissions: owner.permissions.filter((each) => list.includes(each)) }

/** A principal, or the caller of a key, keeps these under its tags for checks that name a scope. */
export interface RightsKept {
  tags: UserTags
  scopes: Map<string, ScopedRights> | undefined
}

/** Rights with those in a scope added, if one is named. */
export const unionOf = <R extends Rights>(rights: R, scoped: Rights | undefined): R =>
  scoped
    ? {
        ...rights,
        roles: union(rights.roles, scoped.roles),
        permissions: union(rights.permissions, scoped.permissions)
      }
    : rights
type Rights = Pick<ScopedRights, 'roles' | 'permissions'>
const union = (some: string[], others: string[]) => [...new Set([...some, ...others])].sort()

/** The rights everywhere together with those in a scope, if one is named. */
export const withScope = (
  user: { permissions: string[]; suspendedRoles: string[] },
  scoped?: ScopedRights
) => ({
  permissions: [...user.permissions, ...(scoped?.permissions ?? [])],
  suspendedRoles: user.suspendedRoles,
  isMember: scoped !== undefined && isMember(scoped)
})

/**
 * The present rights of a key, with those in a scope if one is named. Services have no roles in
 * scopes. Undefined when it has ended, or its owner cannot act.
 */
export async function keyRights(db: Db, keyId: string, scope?: string) {
  const { permissions } = currentUserForKey(sql`${apiKeys.assurance}`)
  const assurance = assuranceOfKey(sql`${apiKeys.assurance}`)
  const isActive = sql`coalesce(${users.status}, ${services.status}) = 'active'`
  const [found] = await db
    .select({
      list: apiKeys.permissions,
      userId: users.id,
      user: { permissions, suspendedRoles: suspendedAnywhere(assurance) },
      service: { permissions: serviceRights.permissions },
      ...(scope !== undefined && {
        scoped: scopedRightsOf(sql`${users.id}`, sql`${scope}::text`, assurance)
      })
    })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(services, eq(services.id, apiKeys.serviceId))
    .where(
      and(
        eq(apiKeys.id, keyId),
        isNull(apiKeys.revokedAt),
        gt(apiKeys.expiresAt, sql`now()`),
        isActive
      )
    )
  if (!found) return undefined
  const owner = found.userId === null ? { ...found.service, suspendedRoles: [] } : found.user
  const { permissions: held, ...rights } = withScope(owner, found.scoped)
  return {
    ...rights,
    permissions: effectiveRights({ roles: [], permissions: held }, found.list).permissions
  }
}
