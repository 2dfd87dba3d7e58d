import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { rolePermissions, roles, userRoles } from '../../../db/schema/roles.ts'
import type { Assurance } from '../../../db/schema/sessions.ts'
import { userNotFound } from '../errors.ts'
import { findCurrentUser, findUser } from '../users/users.ts'
import { findPermission } from './custom-permissions.ts'

interface Seen {
  userId: string
  /** Of the session. By default that of a sign-in with the password. */
  assurance?: Assurance | undefined
}

/**
 * What a user gets in a session: what `GET /api/auth/me` answers about them, which is nothing for a
 * deactivated user, and each permission of their roles. Throws `user-not-found`.
 */
export async function seeAs(db: Db, { userId, assurance: given }: Seen) {
  const { secondFactor } = await findUser(db, userId)
  const assurance: Assurance = given ?? (secondFactor ? 2 : 1)
  const user = await findCurrentUser(db, userId, assurance)
  if (!user) throw userNotFound()
  const { status, ...shown } = user
  return {
    assurance,
    user: status === 'active' ? { ...shown, status } : null,
    permissions: await permissionsOf(db, userId, assurance)
  }
}

/**
 * Whether a user may do something in a session, and why. Throws `user-not-found` and
 * `permission-not-found`.
 */
export async function seePermission(
  db: Db,
  { permission, ...seen }: Seen & { permission: string }
) {
  const { key } = await findPermission(db, permission)
  const { assurance, user, permissions } = await seeAs(db, seen)
  const { grantedBy = [], withheldBy = [] } = permissions.find((each) => each.key === key) ?? {}
  const status = user === null ? ('deactivated' as const) : user.status
  const granted = user !== null && grantedBy.length > 0
  return { permission: key, granted, grantedBy, withheldBy, assurance, status }
}

/** The permissions of all roles of a user, each with the roles that give it, or would give it. */
async function permissionsOf(db: Db, userId: string, assurance: Assurance) {
  const rows = await db
    .select({
      key: rolePermissions.permissionKey,
      role: roles.key,
      requiresSecondFactor: roles.requiresSecondFactor
    })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.roleId))
    .innerJoin(rolePermissions, eq(rolePermissions.roleId, roles.id))
    .where(eq(userRoles.userId, userId))
    .orderBy(asc(rolePermissions.permissionKey), asc(roles.key))
  const found = new Map<string, { key: string; grantedBy: string[]; withheldBy: string[] }>()
  for (const { key, role, requiresSecondFactor } of rows) {
    const why = found.get(key) ?? { key, grantedBy: [], withheldBy: [] }
    found.set(key, why)
    const counts = !requiresSecondFactor || assurance === 2
    why[counts ? 'grantedBy' : 'withheldBy'].push(role)
  }
  return [...found.values()]
}
