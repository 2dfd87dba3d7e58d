import { and, eq, ne } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import { users } from '../../../db/schema/users.ts'
import { DomainError } from '../errors.ts'
import type { LockedUser } from '../users/users.ts'

export async function hasActiveAdmin(db: Db): Promise<boolean> {
  return (await activeAdmins(db).limit(1)).length > 0
}

/**
 * Throws `last-admin` when this user is the last active administrator.
 * @param user locked by lockUser
 */
export async function requireOtherAdmin(tx: Db, user: LockedUser) {
  if (user.status !== 'active' || !user.roles.includes('admin')) return
  const others = await activeAdmins(tx, ne(users.id, user.id)).limit(1)
  if (others.length === 0) throw new DomainError('last-admin')
}

const activeAdmins = (db: Db, which?: SQL) =>
  db
    .select({ id: users.id })
    .from(users)
    .innerJoin(userRoles, eq(userRoles.userId, users.id))
    .innerJoin(roles, eq(roles.id, userRoles.roleId))
    .where(and(eq(roles.key, 'admin'), eq(users.status, 'active'), which))
