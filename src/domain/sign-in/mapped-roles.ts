import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import { requireOtherAdmin } from '../access/last-admin.ts'
import { record } from '../activity/record.ts'
import { job } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import type { Identity } from '../providers/identity.ts'
import type { Provider } from '../providers/provider.ts'
import { writeUser } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'

/** The reason in the records of these changes, whose author is the portal. */
const reason = 'provider'

/**
 * Grants and revokes the roles that the configuration maps, as the provider says at this sign-in.
 * Roles that it does not map stay, and so does `admin` of the last administrator. Call it with the
 * user locked.
 */
export async function applyMappedRoles(
  tx: Db,
  user: LockedUser,
  provider: Provider,
  { roles: wanted }: Pick<Identity, 'roles'>
) {
  if (!provider.roles || !wanted) return
  const mapped = new Set(Object.values(provider.roles.map))
  mapped.delete('user') // everybody has it
  const known = await tx
    .select({ id: roles.id, key: roles.key })
    .from(roles)
    .where(inArray(roles.key, [...mapped]))
    .orderBy(asc(roles.id))
    .for('share')
  let hasChanged = false
  for (const { id: roleId, key: role } of known) {
    const [has, should] = [user.roles.includes(role), wanted.includes(role)]
    if (has === should) continue
    if (should) {
      await tx.insert(userRoles).values({ userId: user.id, roleId }).onConflictDoNothing()
    } else {
      if (role === 'admin' && (await isLastAdmin(tx, user))) continue
      await tx
        .delete(userRoles)
        .where(and(eq(userRoles.userId, user.id), eq(userRoles.roleId, roleId)))
    }
    hasChanged = true
    const action = should ? 'user.role-grant' : 'user.role-revoke'
    await record(tx, job, action, { userId: user.id, reason, details: { role } })
  }
  if (!hasChanged) return
  await writeUser(tx, user.id)
  await bumpUsers(tx, user.id)
}

/**
 * Revokes the roles that providers grant whose accounts were unlinked: nobody there could revoke
 * them any more. Another account at the same provider grants them again at its next sign-in. Call
 * it with the user locked.
 * @param keys of the providers
 */
export async function revokeMappedRoles(
  tx: Db,
  user: LockedUser,
  providers: readonly Provider[],
  keys: readonly string[]
) {
  for (const provider of providers) {
    if (keys.includes(provider.key)) await applyMappedRoles(tx, user, provider, { roles: [] })
  }
}

async function isLastAdmin(tx: Db, user: LockedUser) {
  try {
    await requireOtherAdmin(tx, user)
    return false
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const details = { role: 'admin' }
    const fields = { outcome: 'failure', reason: error.code, userId: user.id, details } as const
    await record(tx, job, 'user.role-revoke', fields)
    return true
  }
}
