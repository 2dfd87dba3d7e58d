import { and, asc, desc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { passkeys } from '../../../db/schema/passkeys.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import { totp } from '../../../db/schema/second-factors.ts'
import { users } from '../../../db/schema/users.ts'

/** A second factor, which gives its user the roles that require one. */
interface MemberFactor {
  email: string
  /** Of a passkey; undefined for an authenticator app. */
  name?: string
  since: Date
}

/**
 * The second factors of the active members of a role, the newest first.
 * @param input.userId of one member; undefined for all
 */
export async function findMemberFactors(
  db: Db,
  { role, userId, limit }: { role: string; userId?: string | undefined; limit: number }
): Promise<MemberFactor[]> {
  const isMember = and(
    eq(roles.key, role),
    eq(users.status, 'active'),
    userId === undefined ? undefined : eq(users.id, userId)
  )
  const since = totp.confirmedAt
  const apps = await db
    .select({ email: users.email, since })
    .from(totp)
    .innerJoin(users, eq(users.id, totp.userId))
    .innerJoin(userRoles, eq(userRoles.userId, users.id))
    .innerJoin(roles, eq(roles.id, userRoles.roleId))
    .where(isMember)
    .orderBy(desc(since), asc(users.email))
    .limit(limit)
  const keys = await db
    .select({ email: users.email, name: passkeys.name, since: passkeys.createdAt })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .innerJoin(userRoles, eq(userRoles.userId, users.id))
    .innerJoin(roles, eq(roles.id, userRoles.roleId))
    .where(isMember)
    .orderBy(desc(passkeys.createdAt), asc(users.email))
    .limit(limit)
  return [...apps, ...keys]
    .sort((one, other) => other.since.getTime() - one.since.getTime())
    .slice(0, limit)
}
