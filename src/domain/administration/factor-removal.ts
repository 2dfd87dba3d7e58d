import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { passkeys, totp } from '../../../db/schema/second-factors.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { authorizedOn } from '../access/authorize.ts'
import { unlink } from '../accounts/provider-links.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { factorsOf, removeFactors } from '../factors/enrolment.ts'
import { endPendingLogins } from '../factors/pending-logins.ts'
import { requireProofIfOwn } from '../factors/recent-authentication.ts'
import { deleteRecoveryCodes } from '../factors/recovery-codes.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { lowerKeys } from '../keys/keys.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import { revoke } from '../sessions/sessions.ts'
import type { Context } from '../sign-in/context.ts'
import { deleteCodeThrottles } from '../throttling/buckets.ts'
import { writeUser } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'

type RemovalContext = Pick<Context, 'db' | 'mail' | 'buckets'>

/**
 * Removes the authenticator app of a user. Has no effect without one. Throws `user-not-found`,
 * `exceeds-own-permissions`, and for the actor's own `reauthentication-required`.
 */
export async function removeUserTotp(
  context: RemovalContext,
  actor: Actor,
  { userId }: { userId: string }
) {
  await authorizedOn(context.db, actor, 'users:update', { id: userId }, async (tx, by, target) => {
    await requireProofIfOwn(tx, by, target)
    const removed = await tx.delete(totp).where(eq(totp.userId, target.id)).returning()
    if (removed.length === 0) return
    const { lowered, ...details } = await endWhatItProved(tx, context, target)
    await record(tx, by, 'user.totp-remove', { userId: target.id, details })
    await notify(tx, context.mail, target, {
      kind: 'second-factor-removed',
      ...factsOf(by),
      keys: lowered
    })
    await bumpUsers(tx, target.id)
  })
}

/** Removes one passkey of a user. Throws as `removeUserTotp`, and `passkey-not-found`. */
export async function removeUserPasskey(
  context: RemovalContext,
  actor: Actor,
  { userId, passkeyId }: { userId: string; passkeyId: string }
) {
  await authorizedOn(context.db, actor, 'users:update', { id: userId }, async (tx, by, target) => {
    await requireProofIfOwn(tx, by, target)
    const [removed] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, passkeyId), eq(passkeys.userId, target.id)))
      .returning({ name: passkeys.name })
    if (!removed) throw new DomainError('passkey-not-found')
    const { lowered, ...ended } = await endWhatItProved(tx, context, target)
    const details = { ...removed, ...ended }
    await record(tx, by, 'user.passkey-remove', { userId: target.id, details })
    await notify(tx, context.mail, target, {
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
async function endWhatItProved(tx: Db, { buckets }: RemovalContext, target: LockedUser) {
  await endPendingLogins(tx, target.id)
  const { length: revoked } = await revoke(tx, 'second-factor', eq(sessions.userId, target.id))
  if ((await factorsOf(tx, target.id)).length > 0) return { revoked, lowered: 0 }
  const lowered = await lowerKeys(tx, target.id)
  await deleteRecoveryCodes(tx, target.id)
  await deleteCodeThrottles(tx, buckets.accountKeys(target.emailNormalized, target.id))
  if (!target.secondFactor) return { revoked, lowered }
  await writeUser(tx, target.id, { secondFactor: false })
  return { revoked, lowered, required: false }
}

/**
 * Removes every second factor of a user who has lost them, and ends all of their sessions. Roles
 * that require one no longer count for their API keys. Until
 * they set up a new one, which takes a link if a role requires it, they sign in with the password
 * alone. Has no effect when there is nothing to remove. Throws `user-not-found`,
 * `exceeds-own-permissions`, and for the actor's own `reauthentication-required`.
 */
export async function resetSecondFactor(
  { db, mail, buckets }: Pick<Context, 'db' | 'mail' | 'buckets'>,
  actor: Actor,
  { userId }: { userId: string }
) {
  await authorizedOn(db, actor, 'users:update', { id: userId }, async (tx, by, target) => {
    await requireProofIfOwn(tx, by, target)
    await endPendingLogins(tx, target.id)
    await deleteCodeThrottles(tx, buckets.accountKeys(target.emailNormalized, target.id))
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

/**
 * Unlinks a provider account of a user, also the only way to sign in, and ends the sessions that
 * began with it. Throws `user-not-found`, `provider-account-not-found`, `exceeds-own-permissions`,
 * and for the actor's own `reauthentication-required`.
 */
export const unlinkUserProvider = (
  context: Pick<Context, 'db' | 'mail' | 'providers'>,
  actor: Actor,
  { userId, id }: { userId: string; id: string }
) =>
  authorizedOn(context.db, actor, 'users:update', { id: userId }, async (tx, by, user) => {
    await requireProofIfOwn(tx, by, user)
    await unlink(tx, context, by, { user, id })
  })
