import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { rolesScope } from '../../../db/schema/epochs.ts'
import { permissions } from '../../../db/schema/permissions.ts'
import { rolePermissions, userRoles } from '../../../db/schema/roles.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { bump, bumpUsers } from '../freshness/epochs.ts'
import { permissionNotFound, roleNotFound, systemEntity, userNotFound } from '../errors.ts'
import { requireProofIfOwn } from '../factors/recent-authentication.ts'
import { lockUser } from '../users/lock.ts'
import { nextVersion } from '../users/users.ts'
import { requireOtherAdmin } from './last-admin.ts'
import { requirePermission } from './rights.ts'
import { lockRole, raiseRoles } from './roles.ts'

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
 * the role or the user has a permission that the actor lacks.
 */
export async function grantRole(db: Db, actor: Actor, membership: Membership) {
  await transaction(db, async (tx) => {
    const { user, role } = await lockMembership(tx, actor, membership)
    const made = await tx
      .insert(userRoles)
      .values({ userId: user.id, roleId: role.id })
      .onConflictDoNothing()
      .returning()
    if (made.length === 0) return
    await tx.update(users).set(nextVersion).where(eq(users.id, user.id))
    await record(tx, actor, 'user.role-grant', {
      target: { type: 'user', id: user.id },
      details: { role: role.key }
    })
    await bumpUsers(tx, user.id)
  })
}

/**
 * Revokes a role from a user, without effect when they do not have it. Throws
 * `exceeds-own-permissions`, `last-admin`, and `reauthentication-required` for an own role that
 * requires a second factor.
 */
export async function revokeRole(db: Db, actor: Actor, membership: Membership) {
  await transaction(db, async (tx) => {
    const { user, role, rights } = await lockMembership(tx, actor, membership)
    if (!user.roles.includes(role.key)) return
    // The end of its requirement would let the password alone change the account.
    rights.requireUnsuspended(role.key)
    if (role.requiresSecondFactor) await requireProofIfOwn(tx, actor, user)
    if (role.key === 'admin') await requireOtherAdmin(tx, user)
    await tx
      .delete(userRoles)
      .where(and(eq(userRoles.userId, user.id), eq(userRoles.roleId, role.id)))
    await tx.update(users).set(nextVersion).where(eq(users.id, user.id))
    await record(tx, actor, 'user.role-revoke', {
      target: { type: 'user', id: user.id },
      details: { role: role.key }
    })
    await bumpUsers(tx, user.id)
  })
}

/**
 * Grants a permission to a role, without effect when the role has it. Throws
 * `exceeds-own-permissions` when the actor lacks it.
 */
export async function grantPermission(db: Db, actor: Actor, grant: Grant) {
  const permissionKey = grant.permission
  await transaction(db, async (tx) => {
    const { role, rights } = await lockGrant(tx, actor, grant)
    rights.requireAll([permissionKey])
    const made = await tx
      .insert(rolePermissions)
      .values({ roleId: role.id, permissionKey })
      .onConflictDoNothing()
      .returning()
    if (made.length === 0) return
    await raiseRoles(tx, [role.id])
    await record(tx, actor, 'role.permission-grant', {
      target: { type: 'role', id: role.id },
      details: { key: role.key, permission: permissionKey }
    })
    await bump(tx, rolesScope)
  })
}

/**
 * Revokes a permission from a role, without effect when the role does not have it. Throws
 * `system-entity` for the role `admin`, which has them all, and `exceeds-own-permissions` when the
 * actor lacks it.
 */
export async function revokePermission(db: Db, actor: Actor, grant: Grant) {
  const permissionKey = grant.permission
  await transaction(db, async (tx) => {
    const { role, rights } = await lockGrant(tx, actor, grant)
    if (role.key === 'admin') throw systemEntity()
    if (!role.permissions.includes(permissionKey)) return
    // Otherwise an actor could weaken users who have permissions that the actor lacks.
    rights.requireAll([permissionKey])
    await tx
      .delete(rolePermissions)
      .where(
        and(eq(rolePermissions.roleId, role.id), eq(rolePermissions.permissionKey, permissionKey))
      )
    await raiseRoles(tx, [role.id])
    await record(tx, actor, 'role.permission-revoke', {
      target: { type: 'role', id: role.id },
      details: { key: role.key, permission: permissionKey }
    })
    await bump(tx, rolesScope)
  })
}

/** Locks user and role, then checks that the actor has all permissions of both. */
async function lockMembership(tx: Db, actor: Actor, { userId, role: roleKey }: Membership) {
  const user = await lockUser(tx, userId)
  const role = await lockRole(tx, roleKey, 'share')
  const rights = await requirePermission(tx, actor, 'users:update')
  if (!user) throw userNotFound()
  if (!role) throw roleNotFound()
  rights.requireAll([...user.permissions, ...role.permissions])
  return { user, role, rights }
}

/** Locks the permission first, then the role, in the same order as deletePermission. */
async function lockGrant(tx: Db, actor: Actor, { role: roleKey, permission }: Grant) {
  const known = await tx
    .select({ key: permissions.key })
    .from(permissions)
    .where(eq(permissions.key, permission))
    .for('key share')
  const role = await lockRole(tx, roleKey, 'no key update')
  const rights = await requirePermission(tx, actor, 'roles:update')
  if (!role) throw roleNotFound()
  if (known.length === 0) throw permissionNotFound()
  return { role, rights }
}
