import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { roles } from '../../../db/schema/roles.ts'
import { users } from '../../../db/schema/users.ts'
import { currentUser, profile, recipient } from './users.ts'

/**
 * Locks a user until the transaction ends, and returns the current state, or undefined when there
 * is no such user. For an administrator the role `admin` is locked as well, so that of two
 * transactions that would remove the last administrators, the second sees the change of the first.
 */
export async function lockUser(tx: Db, id: string) {
  const isId = eq(users.id, id)
  const [locked, [user]] = await Promise.all([
    tx.select({ id: users.id }).from(users).where(isId).for('no key update'),
    // A second statement, because after waiting for the lock the first one would see the old roles.
    tx
      .select({
        ...currentUser,
        ...profile,
        ...recipient,
        emailNormalized: users.emailNormalized,
        version: users.version,
        credentialVersion: users.credentialVersion,
        secondFactor: users.secondFactor,
        lastLoginAt: users.lastLoginAt,
        deleteAt: users.deleteAt
      })
      .from(users)
      .where(isId)
  ])
  if (locked.length === 0) return undefined
  if (user?.roles.includes('admin')) await lockAdmins(tx)
  return user
}

/**
 * Updates the row without changing it, instead of only locking it. A transaction on a snapshot
 * would not see the change of the other administrator after waiting for a lock, but it fails after
 * waiting for an update.
 */
const lockAdmins = (tx: Db) =>
  tx.update(roles).set({ version: roles.version }).where(eq(roles.key, 'admin'))

export type LockedUser = NonNullable<Awaited<ReturnType<typeof lockUser>>>
