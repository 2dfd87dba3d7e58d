import { sql } from 'drizzle-orm'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { factorsOf } from '../factors/methods.ts'
import { removeProviderAccounts } from '../providers/accounts.ts'
import { removeFactors } from '../factors/removal.ts'
import { cancelDeletion } from '../sign-in/restoration.ts'
import { plannedDeletion } from '../users/presence.ts'
import { writeUser } from '../users/users.ts'
import { setPasswordByLink } from './password-links.ts'
import type { NewPassword } from './password-links.ts'
import { consumeRevert } from '../mail/revert-links.ts'
import type { RevertPurpose } from '../mail/revert-links.ts'
import type { Services } from '../sign-in/services.ts'

/** Reverts a change of address, with the link that was sent to the old address. */
export const revertEmail = (services: Services, actor: Actor, input: NewPassword) =>
  takeBack(services, actor, 'email-revert', input)

/** Reverts a second factor that was added with the password alone. */
export const revertFactors = (services: Services, actor: Actor, input: NewPassword) =>
  takeBack(services, actor, 'factor-revert', input)

/**
 * Gives an account back to the owner of the address that a link was sent to: restores the address,
 * sets a new password, ends all sessions and API keys, cancels a planned deletion, and removes the
 * second factors, recovery codes and provider accounts that were added since. Older factors stay:
 * the mailbox alone never removes one that its owner has had for some time. Throws like
 * setPasswordByLink, and `email-taken`.
 */
const takeBack = (services: Services, actor: Actor, purpose: RevertPurpose, input: NewPassword) =>
  setPasswordByLink(services, actor, { ...input, purpose }, async (tx, user) => {
    const { email, emailNormalized, first } = await consumeRevert(tx, purpose, input.token)
    const removed = await removeFactors(tx, user.id, first.since)
    const unlinked = await removeProviderAccounts(tx, user.id, first.since)
    // Only an account that needed no second factor allowed to add one with the password alone.
    const wasOptional = first.purpose === 'factor-revert'
    const isGone =
      wasOptional || (await factorsOf(tx, user.id, { rpId: services.passkeys?.rpId })).length === 0
    await writeUser(tx, user.id, {
      email,
      emailNormalized,
      emailVerifiedAt: sql`now()`,
      ...(isGone && { secondFactor: false })
    })
    const restored = { ...user, email, emailNormalized, emailVerifiedAt: new Date() }
    if (plannedDeletion(user)) {
      await cancelDeletion(tx, services.mail, asUser(actor, user), restored)
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
