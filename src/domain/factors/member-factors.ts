import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/engine.ts'
import { passkeys } from '../../../db/schema/passkeys.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import { totp } from '../../../db/schema/second-factors.ts'
import { users } from '../../../db/schema/users.ts'

/**
 * The second factors of the active members of a role, which give them the role if it requires one,
 * the newest first. Only passkeys have a name.
 * @param input.userId of one member; undefined for all
 */
export function findMemberFactors(
  db: Db,
  { role, userId, limit }: { role: string; userId?: string | undefined; limit: number }
) {
  const isMember = and(
    eq(roles.key, role),
    eq(users.status, 'active'),
    userId === undefined ? undefined : eq(users.id, userId)
  )
  const members = db
    .select({ id: users.id, email: users.email })
    .from(users)
    .innerJoin(userRoles, eq(userRoles.userId, users.id))
    .innerJoin(roles, eq(roles.id, userRoles.roleId))
    .where(isMember)
    .as('members')
  const noName = sql<string | null>`null`.as('name')
  const apps = db
    .select({ email: members.email, name: noName, since: totp.confirmedAt })
    .from(totp)
    .innerJoin(members, eq(members.id, totp.userId))
  const keys = db
    .select({ email: members.email, name: passkeys.name, since: passkeys.createdAt })
    .from(passkeys)
    .innerJoin(members, eq(members.id, passkeys.userId))
  return unionAll(apps, keys).orderBy(desc(totp.confirmedAt), asc(users.email)).limit(limit)
}
