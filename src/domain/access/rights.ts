import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { roles } from '../../../db/schema/roles.ts'
import { users } from '../../../db/schema/users.ts'
import type { Actor } from '../activity/record.ts'
import {
  exceedsOwnPermissions,
  permissionDenied,
  unauthenticated,
  userNotFound
} from '../errors.ts'
import type { SystemPermission } from '../permissions.ts'
import { currentUser } from '../users/users.ts'

/** What somebody may hand out and whom they may act on, as it is now. */
interface Rights {
  /** Throws `exceeds-own-permissions` when one of these permissions is not theirs. */
  requireAll(permissions: readonly string[]): void
}

const everything: Rights = { requireAll() {} }

/**
 * Judges the actor again, inside the transaction that writes: the session and the rights that the
 * request was let in with may have ended since. Call it after the rows it depends on are locked.
 * The command line and jobs may do everything. Throws `unauthenticated` and `permission-denied`.
 */
export async function requirePermission(
  tx: Db,
  actor: Actor,
  permission: SystemPermission
): Promise<Rights> {
  if (actor.type === 'cli' || actor.type === 'system') return everything
  const [user] = await tx
    .select({
      status: users.status,
      permissions: currentUser.permissions,
      signedIn: hasSession(actor.sessionId)
    })
    .from(users)
    .where(eq(users.id, actor.id ?? ''))
  if (user?.status !== 'active' || !user.signedIn) throw unauthenticated()
  if (!user.permissions.includes(permission)) throw permissionDenied()
  return {
    requireAll(permissions) {
      if (permissions.some((each) => !user.permissions.includes(each))) {
        throw exceedsOwnPermissions()
      }
    }
  }
}

/** Idle time does not count here: the request was in time when its headers arrived. */
const hasSession = (id: string | undefined) => sql<boolean>`exists (
  select 1 from sessions s where s.id = ${id ?? null}::uuid and s.user_id = users.id
    and s.revoked_at is null and s.expires_at > now())`

/**
 * A user as they are now, locked until the transaction ends. With an administrator the role `admin`
 * is locked too, so that of two who would remove the last one the second sees what the first did.
 * Undefined when there is no such user.
 */
export async function lockUser(tx: Db, id: string) {
  const locked = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, id))
    .for('no key update')
  if (locked.length === 0) return undefined
  // A second statement: after a wait the first one would still see the roles of before.
  const [user] = await tx
    .select({ ...currentUser, version: users.version, credentialVersion: users.credentialVersion })
    .from(users)
    .where(eq(users.id, id))
  if (user?.roles.includes('admin')) await lockAdmins(tx)
  return user
}

/**
 * An update that changes nothing, not only a row lock. Where a transaction sees a snapshot, waiting
 * for a lock does not show it the other administrator's change, but waiting for an update fails it.
 */
const lockAdmins = (tx: Db) =>
  tx.update(roles).set({ version: roles.version }).where(eq(roles.key, 'admin'))

export type LockedUser = NonNullable<Awaited<ReturnType<typeof lockUser>>>

/** The user to act on, locked. Throws when there is none, and when they have a permission that the actor lacks. */
export async function actOn(tx: Db, actor: Actor, permission: SystemPermission, userId: string) {
  const target = await lockUser(tx, userId)
  const rights = await requirePermission(tx, actor, permission)
  if (!target) throw userNotFound()
  return {
    target,
    rights,
    requireAuthority: () => rights.requireAll(target.permissions)
  }
}
