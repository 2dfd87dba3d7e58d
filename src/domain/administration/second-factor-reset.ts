import { eq } from 'drizzle-orm'
import { sessions } from '../../../db/schema/sessions.ts'
import { actOn } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { endPendingLogins } from '../factors/pending-logins.ts'
import { requireProofIfOwn } from '../factors/recent-authentication.ts'
import { removeFactors } from '../factors/removal.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { lowerKeys } from '../keys/keys.ts'
import { notify, factsOf } from '../mail/notices.ts'
import { revoke } from '../sessions/sessions.ts'
import { deleteCodeThrottles } from '../throttling/cleanup.ts'
import { writeUser } from '../users/users.ts'
import type { Services } from '../sign-in/services.ts'

/**
 * Removes every second factor of a user who has lost them, and ends all of their sessions. Roles
 * that require one no longer count for their API keys. Until
 * they set up a new one, which takes a link if a role requires it, they sign in with the password
 * alone. Has no effect when there is nothing to remove. Throws `user-not-found`,
 * `exceeds-own-permissions`, and for the actor's own `reauthentication-required`.
 */
export async function resetSecondFactor(
  { db, mail, buckets }: Pick<Services, 'db' | 'mail' | 'buckets'>,
  actor: Actor,
  { userId }: { userId: string }
) {
  await actOn(db, actor, 'users:update', { id: userId }, async (tx, by, target) => {
    await requireProofIfOwn(tx, by, target)
    await endPendingLogins(tx, target.id)
    await deleteCodeThrottles(tx, buckets.keysOf(target.emailNormalized, target.id))
    const removed = await removeFactors(tx, target.id)
    if (!removed.some((each) => each !== 'recovery-code') && !target.secondFactor) return
    await writeUser(tx, target.id, { secondFactor: false })
    const { length: revoked } = await revoke(tx, 'second-factor', eq(sessions.userId, target.id))
    const keys = await lowerKeys(tx, target.id)
    await record(tx, by, 'user.second-factor-reset', { userId: target.id, details: { revoked } })
    await notify(tx, mail, target, {
      kind: 'second-factor-removed',
      ...factsOf(by),
      keys
    })
    await bumpUsers(tx, target.id)
  })
}
