import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { rolesScope } from '../../../db/schema/epochs.ts'
import { permissions, rolePermissions, userRoles } from '../../../db/schema/roles.ts'
import { record } from '../activity/record.ts'
import type { Actor, AuthorizedActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { bump, bumpUsers } from '../freshness/epochs.ts'
import { lockUser, writeUser } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'
import { requireOtherAdmin } from './last-admin.ts'
import { authorized } from './authorize.ts'
import { lockRole, raiseRoles, requireMayGiveUp } from './roles.ts'
import type { LockedRole } from './roles.ts'

/** `role` is the role's key. */
interface Membership {
  userId: string
  role: string
}

/** Keys of a role and a permission. */
interface Grant {
  role: string
  permission: string
}

/**
 * Grants a role to a user, without effect when they have it. Throws `exceeds-own-permissions` when
 * the role or the user has a permission that the actor lacks, and `role-scoped`.
 */
export const grantRole = (db: Db, actor: Actor, membership: Membership) =>
  changeMembership(db, actor, membership, 'user.role-grant', async (tx, _by, { user, role }) => {
    if (role.scoped) throw new DomainError('role-scoped')
    const made = await tx
      .insert(userRoles)
      .values({ userId: user.id, roleId: role.id })
      .onConflictDoNothing()
      .returning()
    return made.length > 0
  })

/**
 * Revokes a role from a user, without effect when they do not have it. Throws
 * `exceeds-own-permissions`, `last-admin`, and `reauthentication-required` for an own role that
 * requires a second factor.
 */
export const revokeRole = (db: Db, actor: Actor, membership: Membership) =>
  changeMembership(db, actor, membership, 'user.role-revoke', async (tx, by, { user, role }) => {
    if (!user.roles.includes(role.key)) return false
    await requireMayGiveUp(tx, by, user, role)
    if (role.key === 'admin') await requireOtherAdmin(tx, user)
    await tx
      .delete(userRoles)
      .where(and(eq(userRoles.userId, user.id), eq(userRoles.roleId, role.id)))
    return true
  })

/**
 * Grants a permission to a role, without effect when the role has it. Throws
 * `exceeds-own-permissions` when the actor lacks it.
 */
export const grantPermission = (db: Db, actor: Actor, grant: Grant) =>
  changeGrant(db, actor, grant, 'role.permission-grant', async (tx, by, role) => {
    by.requireAll([grant.permission])
    const made = await tx
      .insert(rolePermissions)
      .values({ roleId: role.id, permissionKey: grant.permission })
      .onConflictDoNothing()
      .returning()
    return made.length > 0
  })

/**
 * Revokes a permission from a role, without effect when the role does not have it. Throws
 * `system-entity` for the role `admin`, which has them all, and `exceeds-own-permissions` when the
 * actor lacks it.
 */
export const revokePermission = (db: Db, actor: Actor, grant: Grant) =>
  changeGrant(db, actor, grant, 'role.permission-revoke', async (tx, by, role) => {
    if (role.key === 'admin') throw new DomainError('system-entity')
    if (!role.permissions.includes(grant.permission)) return false
    // Otherwise an actor could weaken users who have permissions that the actor lacks.
    by.requireAll([grant.permission])
    const { roleId, permissionKey } = rolePermissions
    await tx
      .delete(rolePermissions)
      .where(and(eq(roleId, role.id), eq(permissionKey, grant.permission)))
    return true
  })

/** Writes a change of what was locked. False when there is nothing to change. */
type Write<L> = (tx: Db, by: AuthorizedActor, locked: L) => Promise<boolean>

/** Locks user and role. The actor needs all permissions of both. */
async function changeMembership(
  db: Db,
  actor: Actor,
  { userId, role: roleKey }: Membership,
  action: 'user.role-grant' | 'user.role-revoke',
  write: Write<{ user: LockedUser; role: LockedRole }>
) {
  const lock = async (tx: Db) => ({
    user: await lockUser(tx, userId),
    role: await lockRole(tx, roleKey, 'share')
  })
  await authorized(db, actor, 'users:update', lock, async (tx, by, { user, role }) => {
    if (!user) throw new DomainError('user-not-found')
    if (!role) throw new DomainError('role-not-found')
    by.requireAll([...user.permissions, ...role.permissions])
    if (!(await write(tx, by, { user, role }))) return
    await writeUser(tx, user.id)
    await record(tx, by, action, { userId, details: { role: role.key } })
    await bumpUsers(tx, user.id)
  })
}

/** Locks the permission first, then the role, in the same order as deletePermission. */
async function changeGrant(
  db: Db,
  actor: Actor,
  { role: roleKey, permission }: Grant,
  action: 'role.permission-grant' | 'role.permission-revoke',
  write: Write<LockedRole>
) {
  const lock = async (tx: Db) => {
    const known = await tx
      .select({ key: permissions.key })
      .from(permissions)
      .where(eq(permissions.key, permission))
      .for('key share')
    return { known, role: await lockRole(tx, roleKey, 'no key update') }
  }
  await authorized(db, actor, 'roles:update', lock, async (tx, by, { known, role }) => {
    if (!role) throw new DomainError('role-not-found')
    if (known.length === 0) throw new DomainError('permission-not-found')
    if (!(await write(tx, by, role))) return
    await raiseRoles(tx, [role.id])
    const target = { type: 'role', id: role.id } as const
    await record(tx, by, action, { target, details: { key: role.key, permission } })
    await bump(tx, rolesScope)
  })
}
