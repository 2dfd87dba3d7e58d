import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { passkeys } from '../../../db/schema/passkeys.ts'
import { totp } from '../../../db/schema/second-factors.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { actOn } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { passkeyNotFound } from '../errors.ts'
import { factorsOf } from '../factors/methods.ts'
import { endPendingLogins } from '../factors/pending-logins.ts'
import { requireProofIfOwn } from '../factors/recent-authentication.ts'
import { deleteRecoveryCodes } from '../factors/recovery-codes.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { lowerKeys } from '../keys/keys.ts'
import { notify, factsOf } from '../mail/notices.ts'
import { revoke } from '../sessions/sessions.ts'
import type { Services } from '../sign-in/services.ts'
import { deleteCodeThrottles } from '../throttling/cleanup.ts'
import type { LockedUser } from '../users/lock.ts'
import { writeUser } from '../users/users.ts'

type RemovalServices = Pick<Services, 'db' | 'mail' | 'buckets'>

/**
 * Removes the authenticator app of a user. Has no effect without one. Throws `user-not-found`,
 * `exceeds-own-permissions`, and for the actor's own `reauthentication-required`.
 */
export async function removeUserTotp(
  services: RemovalServices,
  actor: Actor,
  { userId }: { userId: string }
) {
  await actOn(services.db, actor, 'users:update', { id: userId }, async (tx, by, target) => {
    await requireProofIfOwn(tx, by, target)
    const removed = await tx.delete(totp).where(eq(totp.userId, target.id)).returning()
    if (removed.length === 0) return
    const { lowered, ...details } = await endWhatItProved(tx, services, target)
    await record(tx, by, 'user.totp-remove', { userId: target.id, details })
    await notify(tx, services.mail, target, {
      kind: 'second-factor-removed',
      ...factsOf(by),
      keys: lowered
    })
    await bumpUsers(tx, target.id)
  })
}

/** The same for one passkey. Throws `passkey-not-found` as well. */
export async function removeUserPasskey(
  services: RemovalServices,
  actor: Actor,
  { userId, passkeyId }: { userId: string; passkeyId: string }
) {
  await actOn(services.db, actor, 'users:update', { id: userId }, async (tx, by, target) => {
    await requireProofIfOwn(tx, by, target)
    const [removed] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, passkeyId), eq(passkeys.userId, target.id)))
      .returning({ name: passkeys.name })
    if (!removed) throw passkeyNotFound()
    const { lowered, ...ended } = await endWhatItProved(tx, services, target)
    const details = { ...removed, ...ended }
    await record(tx, by, 'user.passkey-remove', { userId: target.id, details })
    await notify(tx, services.mail, target, {
      kind: 'passkey-removed',
      ...factsOf(by),
      keys: lowered
    })
    await bumpUsers(tx, target.id)
  })
}

/**
 * Ends every session of the user, because the factor may have begun it. With the last factor it
 * does what `resetSecondFactor` does: otherwise nothing could complete a sign-in. Returns what the
 * record says about it, and the number of API keys that lost the factor.
 */
async function endWhatItProved(tx: Db, { buckets }: RemovalServices, target: LockedUser) {
  await endPendingLogins(tx, target.id)
  const { length: revoked } = await revoke(tx, 'second-factor', eq(sessions.userId, target.id))
  if ((await factorsOf(tx, target.id)).length > 0) return { revoked, lowered: 0 }
  const lowered = await lowerKeys(tx, target.id)
  await deleteRecoveryCodes(tx, target.id)
  await deleteCodeThrottles(tx, buckets.keysOf(target.emailNormalized, target.id))
  if (!target.secondFactor) return { revoked, lowered }
  await writeUser(tx, target.id, { secondFactor: false })
  return { revoked, lowered, required: false }
}
