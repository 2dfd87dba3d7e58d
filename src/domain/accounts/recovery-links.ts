import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import type { FactorMethod } from '../../../db/schema/second-factors.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import type { TokenPurpose } from '../../../db/schema/tokens.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor, UserActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { factorsOf, findAddedSince, findMethods, removeFactors } from '../factors/enrolment.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { namesOfKeys } from '../keys/keys.ts'
import { consumeRevert, createRevert, findFactorRevert } from '../mail/links.ts'
import type { RevertPurpose } from '../mail/links.ts'
import { factsOf, inMail, notify } from '../outbox/enqueue.ts'
import type { Owner } from '../passwords/passwords.ts'
import { findProviderKeys, removeProviderAccounts } from '../providers/accounts.ts'
import { nameOf } from '../providers/provider.ts'
import type { Provider } from '../providers/provider.ts'
import { revokeAllKeys, revokeRecentKeys } from '../services/key-revocation.ts'
import { revoke } from '../sessions/sessions.ts'
import type { Context } from '../sign-in/context.ts'
import { cancelDeletion } from '../sign-in/restoration.ts'
import { revokeMappedRoles } from '../sign-in/session-provider.ts'
import { throttled } from '../throttling/admission.ts'
import { deleteThrottles } from '../throttling/buckets.ts'
import { linkLifetimes } from '../tokens/lifetimes.ts'
import { createLinkToken, deleteLinkTokens, readLinkToken } from '../tokens/tokens.ts'
import { isPresent, lockUser, nextCredentials, plannedDeletion, writeUser } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'

export interface NewPassword {
  token: string
  newPassword: string
}

/** Further effects of a link that sets a password. */
interface Recovered {
  action: 'auth.recovery' | 'user.email-revert' | 'user.factor-revert'
  user: LockedUser
  /** Whether the link proves that its user reads the mail of the account. */
  isByMail: boolean
  removed: FactorMethod[]
  /** Keys of the providers at which accounts were unlinked. */
  unlinked: string[]
  reason?: 'unconfirmed' | 'reverted' | 'recovery'
  /**
   * Which API keys end, because somebody else may have created them: all, or those that the
   * password was enough for. `since`: when it alone added a way to sign in, if it did.
   */
  endsKeys?: 'all' | { since: Date | undefined } | undefined
}

/**
 * Sets a new password with a link, and ends all sessions. Signs nobody in. The mail about it says
 * which ways to sign in were removed and which are left; if the password alone added some of these
 * in the last 72 hours, it has a link to remove them. Throws `invalid-token`, `rate-limited`,
 * `overloaded`, and a refusal that names `newPassword` and leaves the token valid.
 * @param work uses the token up
 */
export async function setPasswordByLink(
  context: Context,
  actor: Actor,
  { token, newPassword, purpose }: NewPassword & { purpose: TokenPurpose },
  work: (tx: Db, user: LockedUser) => Promise<Recovered>
) {
  const { db, passwords, buckets, mail } = context
  await throttled(context, { wanted: buckets.source(actor.ip) }, async (_, requireTime) => {
    const { userId } = await readLinkToken(db, purpose, token)
    await passwords.check(newPassword, 'newPassword', await findOwner(db, userId ?? ''))
    const passwordHash = await passwords.hash(newPassword, 'known')
    requireTime()
    await transaction(db, async (tx) => {
      const locked = await lockUser(tx, userId ?? '')
      const isTakenBack = purpose === 'email-revert' || purpose === 'factor-revert'
      const isPossible = locked && (isTakenBack ? isPresent(locked) : locked.status === 'active')
      if (!isPossible) throw new DomainError('invalid-token')
      const { action, user, isByMail, removed, unlinked, reason, endsKeys } = await work(tx, locked)
      if (isByMail) await noteRecovery(tx, user.id)
      await writePassword(tx, user.id, passwordHash)
      await deleteLinkTokens(tx, ['confirm'], { userId: user.id })
      const { length: revoked } = await revoke(tx, 'password-reset', eq(sessions.userId, user.id))
      await deleteThrottles(tx, buckets.accountKeys(user.emailNormalized, user.id))
      const byOwner = asUser(actor, user)
      await record(tx, byOwner, action, { userId: user.id, details: { revoked } })
      if (reason && removed.length > 0) {
        await record(tx, byOwner, 'user.second-factor-reset', { userId: user.id, reason })
      }
      for (const provider of unlinked) {
        const why = { ...(reason && { reason }), details: { provider } }
        await record(tx, byOwner, 'user.provider-unlink', { userId: user.id, ...why })
      }
      await revokeMappedRoles(tx, user, context.providers, unlinked)
      const keysEnded = await endKeys(tx, byOwner, endsKeys)
      await notify(tx, mail, user, {
        kind: 'password-changed',
        ...factsOf(actor),
        removed,
        unlinked: nameAll(context.providers, unlinked),
        keysEnded,
        ...(await remainingKeys(tx, user)),
        ...(await findWaysLeft(tx, context, user))
      })
      await bumpUsers(tx, user.id)
    })
  })
}

async function endKeys(tx: Db, byOwner: UserActor, which: Recovered['endsKeys']) {
  if (!which) return 0
  return which === 'all' ? revokeAllKeys(tx, byOwner) : revokeRecentKeys(tx, byOwner, which.since)
}

/** The keys that go on, because jobs would stop, with a link that ends them. */
async function remainingKeys(tx: Db, { id: userId, email }: LockedUser) {
  const keysLeft = await namesOfKeys(tx, userId)
  if (keysLeft.length === 0) return undefined
  const link = {
    purpose: 'key-revocation',
    owner: { userId },
    email,
    expiresIn: linkLifetimes['key-revocation']
  } as const
  const created = await createLinkToken(tx, link)
  return { keysLeft, ...(created && { keysLink: inMail(created) }) }
}

/** Not for the first password of an account. */
const noteRecovery = (tx: Db, userId: string) =>
  tx
    .update(users)
    .set({ recoveredAt: sql`now()` })
    .where(and(eq(users.id, userId), isNotNull(users.passwordHash)))

/**
 * The ways to sign in that are left after a new password, as the mail about it says, and a link
 * that removes what the password alone has added of late, for owners who overlooked the notice.
 */
export async function findWaysLeft(
  tx: Db,
  { providers }: Pick<Context, 'providers'>,
  user: LockedUser
) {
  const since = await findFactorRevert(tx, user)
  const isReversible = since && (await findAddedSince(tx, user.id, since)).length > 0
  return {
    left: await findMethods(tx, user.id),
    linked: nameAll(providers, await findProviderKeys(tx, user.id)),
    ...(isReversible && (await createRevert(tx, { purpose: 'factor-revert', user, since })))
  }
}

/** The names of these providers, each once. */
export const nameAll = (providers: readonly Provider[], keys: string[]) =>
  [...new Set(keys)].map((key) => nameOf(providers, key))

/** Reverts a change of address, with the link that was sent to the old address. */
export const revertEmail = (context: Context, actor: Actor, input: NewPassword) =>
  takeBack(context, actor, 'email-revert', input)

/** Reverts a second factor that was added with the password alone. */
export const revertFactors = (context: Context, actor: Actor, input: NewPassword) =>
  takeBack(context, actor, 'factor-revert', input)

/**
 * Gives an account back to the owner of the address that a link was sent to: restores the address,
 * sets a new password, ends all sessions and API keys, cancels a planned deletion, and removes the
 * second factors, recovery codes and provider accounts that were added since. Older factors stay:
 * the mailbox alone never removes one that its owner has had for some time. Throws like
 * setPasswordByLink, and `email-taken`.
 */
const takeBack = (context: Context, actor: Actor, purpose: RevertPurpose, input: NewPassword) =>
  setPasswordByLink(context, actor, { ...input, purpose }, async (tx, user) => {
    const { email, emailNormalized, first } = await consumeRevert(tx, purpose, input.token)
    const removed = await removeFactors(tx, user.id, first.since)
    const unlinked = await removeProviderAccounts(tx, user.id, first.since)
    // Only an account that needed no second factor allowed to add one with the password alone.
    const wasOptional = first.purpose === 'factor-revert'
    const isGone =
      wasOptional || (await factorsOf(tx, user.id, { rpId: context.passkeys?.rpId })).length === 0
    await writeUser(tx, user.id, {
      email,
      emailNormalized,
      emailVerifiedAt: sql`now()`,
      ...(isGone && { secondFactor: false })
    })
    const restored = { ...user, email, emailNormalized, emailVerifiedAt: new Date() }
    if (plannedDeletion(user)) {
      await cancelDeletion(tx, context.mail, asUser(actor, user), restored)
    }
    return {
      action: `user.${purpose}`,
      user: restored,
      isByMail: true,
      removed,
      unlinked,
      reason: 'reverted',
      endsKeys: 'all'
    }
  })

/** The owner of an account, with empty fields when it is deleted, which the transaction reports. */
export async function findOwner(db: Db, userId: string): Promise<Owner> {
  const [owner] = await db
    .select({ email: users.email, name: users.name })
    .from(users)
    .where(eq(users.id, userId))
  return owner ?? { email: '', name: '' }
}

/**
 * Stores a hash. It invalidates the known devices, every login that is under way, and the earlier
 * links that somebody who knew the old password may have requested. Links that revert a change of
 * address stay valid: they undo what such a person did.
 */
export async function writePassword(tx: Db, userId: string, passwordHash: string) {
  await writeUser(tx, userId, { passwordHash, ...nextCredentials })
  await deleteLinkTokens(tx, ['password-reset', 'email-change', 'factor-enrolment'], { userId })
}
