import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { retried } from '../../../db/transaction.ts'
import { lockUser } from '../access/rights.ts'
import type { LockedUser } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Action, SignedInActor } from '../activity/record.ts'
import { unauthenticated, wrongPassword } from '../errors.ts'
import { isLive } from '../sessions/sessions.ts'
import type { SessionRules } from '../sessions/sessions.ts'
import { throttled } from '../throttling/admission.ts'
import type { Charge } from '../throttling/throttles.ts'
import type { Services } from './services.ts'

interface Confirmed {
  charge: Charge
  /** The version of the credentials that the password was compared with. */
  credentialVersion: number
  /**
   * Locks the user and checks again: still active, in an active session, with the password that was
   * compared. Throws `unauthenticated` and `wrong-password`.
   */
  lock(tx: Db): Promise<LockedUser>
}

/**
 * Does work for which a signed-in user must confirm the password. The comparison comes before the
 * transaction, because no transaction waits for a hash; `lock` repeats the check within it.
 * Throws `wrong-password`, `rate-limited` and `overloaded`.
 * @param action recorded as failed when the password is wrong
 */
export async function withCurrentPassword<T>(
  services: Services,
  actor: SignedInActor,
  { password, action }: { password: string; action: Action },
  work: (confirmed: Confirmed) => Promise<T>
) {
  const { db, passwords, buckets, sessionRules } = services
  const userId = actor.id
  const counted = {
    wanted: buckets.password(userId),
    known: buckets.known(userId, actor.ip),
    findUser: async () => userId,
    arrived: performance.now()
  }
  return throttled(services, counted, async (charge, requireTime) => {
    const [account] = await db
      .select({ passwordHash: users.passwordHash, credentialVersion: users.credentialVersion })
      .from(users)
      .where(eq(users.id, userId))
    if ((await passwords.verify(password, account?.passwordHash, true)) && account) {
      requireTime()
      const { credentialVersion } = account
      const lock = async (tx: Db) => {
        const user = await lockSelf(tx, actor, sessionRules)
        if (user.credentialVersion !== credentialVersion) throw wrongPassword()
        return user
      }
      return work({ charge, credentialVersion, lock })
    }
    await retried(() =>
      record(db, actor, action, {
        outcome: 'failure',
        reason: 'wrong-password',
        target: { type: 'user', id: userId }
      })
    )
    throw wrongPassword()
  })
}

/**
 * Locks the actor and checks again that they are active and their session is, because both may
 * have ended since the request was admitted. Throws `unauthenticated`.
 */
export async function lockSelf(
  tx: Db,
  { id, sessionId }: SignedInActor,
  { idleSeconds }: SessionRules
) {
  const user = await lockUser(tx, id)
  const live = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), isLive(idleSeconds)))
  if (user?.status !== 'active' || live.length === 0) throw unauthenticated()
  return user
}
