import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { transaction } from '../../../db/transaction.ts'
import type { Actor } from '../actor.ts'
import { invalidToken, mailOff } from '../errors.ts'
import { removeFactors } from '../factors/removal.ts'
import { refuseManaged } from '../providers/errors.ts'
import { removeProviderAccounts } from '../providers/accounts.ts'
import { requestRecoveryMail } from '../mail/requests.ts'
import { throttled } from '../throttling/admission.ts'
import { consumeLinkToken, deleteLinkTokens } from '../tokens/tokens.ts'
import { normalizeEmail, requireEmail } from '../users/emails.ts'
import type { LockedUser } from '../users/lock.ts'
import { writeUser } from '../users/users.ts'
import { setPasswordByLink } from './password-links.ts'
import type { NewPassword } from './password-links.ts'
import { findFactorRevert, revertPurposes } from '../mail/revert-links.ts'
import type { Services } from '../sign-in/services.ts'

/**
 * Sends a link to the owner of an account, if there is one. Nothing is looked up, so that nobody
 * learns whether there is. Throws `mail-off`, `provider-required`, `rate-limited` and a refusal
 * that names `email`.
 */
export async function requestRecovery(services: Services, actor: Actor, input: { email: string }) {
  const { db, buckets, mail } = services
  if (!mail) throw mailOff()
  const emailNormalized = requireEmail(input.email)
  refuseManaged(services.providers, emailNormalized)
  const wanted = buckets.mail(actor.ip, 'recovery', emailNormalized)
  await throttled(services, { wanted }, () =>
    transaction(db, (tx) => requestRecoveryMail(tx, mail, actor, emailNormalized))
  )
}

/**
 * Sets a new password with the token of a link, and ends all sessions. Second factors stay, unless
 * this is the first proof that the address belongs to the user. With a mailed link, provider
 * accounts that the password alone linked in the last 72 hours go, and so do API keys that a thief
 * of the password may have created, also with a factor that they added. Throws like
 * setPasswordByLink.
 */
export const recoverAccount = (services: Services, actor: Actor, input: NewPassword) =>
  setPasswordByLink(services, actor, { ...input, purpose: 'password-reset' }, async (tx, user) => {
    const { email } = await consumeLinkToken(tx, 'password-reset', input.token)
    // A link that was sent to another address than the current one proves nothing.
    if (email !== null && normalizeEmail(email) !== user.emailNormalized) throw invalidToken()
    const isByMail = email !== null
    if (!isByMail || user.emailVerifiedAt) {
      // The link of an operator proves no mailbox, and ends nothing.
      const since = isByMail ? await findFactorRevert(tx, user) : undefined
      const unlinked = since ? await removeProviderAccounts(tx, user.id, since) : []
      return {
        action: 'auth.recovery',
        user,
        isByMail,
        removed: [],
        unlinked,
        reason: 'recovery',
        endsKeys: isByMail ? { since } : undefined
      }
    }
    return {
      action: 'auth.recovery',
      user: { ...user, emailVerifiedAt: new Date() },
      isByMail,
      ...(await confirmByRecovery(tx, user)),
      reason: 'unconfirmed',
      endsKeys: 'all'
    }
  })

/**
 * The first proof of the mailbox. Until now, the account may have been that of somebody who
 * registered with another person's address: what they have added must not outlive it.
 */
export async function confirmByRecovery(tx: Db, { id }: Pick<LockedUser, 'id'>) {
  await writeUser(tx, id, { emailVerifiedAt: sql`now()`, secondFactor: false })
  await deleteLinkTokens(tx, [...revertPurposes], { userId: id })
  return {
    removed: await removeFactors(tx, id),
    unlinked: await removeProviderAccounts(tx, id)
  }
}
