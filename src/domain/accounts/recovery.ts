import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { transaction } from '../../../db/transaction.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { removeFactors } from '../factors/enrolment.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { throttledWithProof } from '../guard/guard.ts'
import type { Presented } from '../guard/guard.ts'
import { findFactorRevert, revertPurposes } from '../mail/links.ts'
import { requestMail } from '../outbox/enqueue.ts'
import { removeProviderAccounts } from '../providers/accounts.ts'
import { refuseManaged } from '../providers/provider.ts'
import { revokeAllKeys } from '../services/key-revocation.ts'
import type { Context } from '../sign-in/context.ts'
import { cancelDeletion } from '../sign-in/restoration.ts'
import { throttled } from '../throttling/admission.ts'
import { consumeLinkToken, deleteLinkTokens, readLinkToken } from '../tokens/tokens.ts'
import { normalizeEmail, requireEmail } from '../users/emails.ts'
import { lockUser, plannedDeletion, writeUser } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'
import { setPasswordByLink } from './recovery-links.ts'
import type { NewPassword } from './recovery-links.ts'

/**
 * Sends a link to the owner of an account, if there is one. Nothing is looked up, so that nobody
 * learns whether there is. Throws `mail-off`, `provider-required`, `challenge-required`,
 * `rate-limited` and a refusal that names `email`.
 */
export async function requestRecovery(
  context: Context,
  actor: Actor,
  input: { email: string } & Presented
) {
  const { db, mail } = context
  if (!mail) throw new DomainError('mail-off')
  const emailNormalized = requireEmail(input.email)
  refuseManaged(context.providers, emailNormalized)
  const asking = { ...input, purpose: 'recovery', email: emailNormalized } as const
  await throttledWithProof(context, actor, asking, () =>
    transaction(db, (tx) => requestMail(tx, mail, actor, { request: 'recovery', emailNormalized }))
  )
}

/**
 * Sets a new password with the token of a link, and ends all sessions. Second factors stay, unless
 * this is the first proof that the address belongs to the user. With a mailed link, provider
 * accounts that the password alone linked in the last 72 hours go, and so do API keys that a thief
 * of the password may have created, also with a factor that they added. Throws like
 * setPasswordByLink.
 */
export const recoverAccount = (context: Context, actor: Actor, input: NewPassword) =>
  setPasswordByLink(context, actor, { ...input, purpose: 'password-reset' }, async (tx, user) => {
    const { email } = await consumeLinkToken(tx, 'password-reset', input.token)
    // A link that was sent to another address than the current one proves nothing.
    if (email !== null && normalizeEmail(email) !== user.emailNormalized) {
      throw new DomainError('invalid-token')
    }
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

/**
 * Revokes all API keys of a user with the link in the mail about a recovery, which lists them.
 * Signs nobody in. Throws `invalid-token` and `rate-limited`.
 */
export const endKeysByLink = (context: Context, actor: Actor, { token }: { token: string }) =>
  changeByLink(context, actor, { token, purpose: 'key-revocation' }, async (tx, user) => {
    await revokeAllKeys(tx, asUser(actor, user))
  })

/**
 * Restores an account with the link in the mail about its deletion. Signs nobody in: the mailbox
 * replaces neither the password nor a second factor. Throws `invalid-token` and `rate-limited`.
 */
export const restoreByLink = (context: Context, actor: Actor, { token }: { token: string }) =>
  changeByLink(context, actor, { token, purpose: 'restore' }, async (tx, user) => {
    if (!plannedDeletion(user)) throw new DomainError('invalid-token')
    await cancelDeletion(tx, context.mail, asUser(actor, user), user)
  })

/** Locks the owner of a link and uses it up, then changes their account. */
async function changeByLink(
  context: Context,
  actor: Actor,
  { token, purpose }: { token: string; purpose: 'key-revocation' | 'restore' },
  change: (tx: Db, user: LockedUser) => Promise<void>
) {
  await throttled(context, { wanted: context.buckets.source(actor.ip) }, () =>
    transaction(context.db, async (tx) => {
      const { userId } = await readLinkToken(tx, purpose, token)
      const user = await lockUser(tx, userId ?? '')
      await consumeLinkToken(tx, purpose, token)
      if (!user) throw new DomainError('invalid-token')
      await change(tx, user)
      await bumpUsers(tx, user.id)
    })
  )
}
