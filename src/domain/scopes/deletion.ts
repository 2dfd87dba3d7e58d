import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { rolesScope } from '../../../db/schema/epochs.ts'
import { rolePermissions, roles } from '../../../db/schema/roles.ts'
import { endedScopes, invitations, scopedRoles } from '../../../db/schema/scopes.ts'
import { users } from '../../../db/schema/users.ts'
import { authorized } from '../access/authorize.ts'
import { requireMayGiveUp } from '../access/roles.ts'
import { record } from '../activity/record.ts'
import type { Actor, AuthorizedActor } from '../actor.ts'
import { bump, bumpUsers } from '../freshness/epochs.ts'
import { unusedScope } from './list.ts'
import { lockScope } from './members.ts'

/** Number of roles that one transaction removes, within a tenth of a second. */
const memberBatch = 5000
/** More users are bumped at once, with everybody else. */
const mostBumped = 100

/**
 * Deletes a scope with all roles and invitations in it, and marks it: nobody gets a role in it for
 * 90 days. A large one is deleted in several transactions, each of which takes effect at once;
 * repeat an interrupted deletion to complete it. Throws `scope-not-found`,
 * `exceeds-own-permissions` when the actor lacks a permission of a role in it, and
 * `reauthentication-required` when the actor has a role in it that requires a second factor.
 */
export async function deleteScope(db: Db, actor: Actor, scope: string) {
  const lock = (tx: Db) => lockScope(tx, scope)
  let permissions: string[] = []
  for (let isFirst = true, isDone = false; !isDone; isFirst = false) {
    isDone = await authorized(db, actor, 'users:update', lock, async (tx, by) => {
      // The first transaction ends the scope: from then on nobody gets another role in it.
      if (isFirst) permissions = await permissionsIn(tx, scope)
      by.requireAll(permissions)
      await requireMayLeave(tx, by, scope)
      await tx.insert(endedScopes).values({ scope }).onConflictDoNothing()
      const invited = await tx
        .delete(invitations)
        .where(eq(invitations.scope, scope))
        .returning({ id: invitations.id })
      const isInBatch = sql`(${scopedRoles.userId}, ${scopedRoles.roleId}) in (
        select user_id, role_id from scoped_roles where scope = ${scope}
        order by user_id, role_id limit ${memberBatch}::int)`
      const removed = await tx
        .delete(scopedRoles)
        .where(and(eq(scopedRoles.scope, scope), isInBatch))
        .returning({ userId: scopedRoles.userId })
      const members = [...new Set(removed.map(({ userId }) => userId))]
      if (isFirst && removed.length + invited.length === 0) throw unusedScope()
      if (isFirst || removed.length > 0) {
        const target = { type: 'scope', id: scope } as const
        await record(tx, by, 'scope.delete', { target, details: { members: members.length } })
      }
      if (members.length > mostBumped) await bump(tx, rolesScope)
      else await bumpUsers(tx, ...members)
      return removed.length < memberBatch
    })
  }
}

async function requireMayLeave(tx: Db, by: AuthorizedActor, scope: string) {
  if (by.id === undefined) return
  const { key, requiresSecondFactor } = roles
  const own = await tx
    .select({ key, requiresSecondFactor, user: { id: users.id, secondFactor: users.secondFactor } })
    .from(scopedRoles)
    .innerJoin(roles, eq(roles.id, scopedRoles.roleId))
    .innerJoin(users, eq(users.id, scopedRoles.userId))
    .where(and(eq(scopedRoles.scope, scope), eq(users.id, by.id)))
  for (const { user, ...role } of own) await requireMayGiveUp(tx, by, user, role)
}

async function permissionsIn(tx: Db, scope: string) {
  const isHeld = sql`${rolePermissions.roleId} in (
    select distinct role_id from scoped_roles where scope = ${scope})`
  const found = await tx
    .selectDistinct({ key: rolePermissions.permissionKey })
    .from(rolePermissions)
    .where(isHeld)
  return found.map(({ key }) => key)
}
