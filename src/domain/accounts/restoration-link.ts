import { transaction } from '../../../db/transaction.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { invalidToken } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { cancelDeletion } from '../sign-in/restoration.ts'
import type { Services } from '../sign-in/services.ts'
import { throttled } from '../throttling/admission.ts'
import { consumeLinkToken, readLinkToken } from '../tokens/tokens.ts'
import { lockUser } from '../users/lock.ts'
import { plannedDeletion } from '../users/presence.ts'

/**
 * Restores an account with the link in the mail about its deletion. Signs nobody in: the mailbox
 * replaces neither the password nor a second factor. Throws `invalid-token` and `rate-limited`.
 */
export async function restoreByLink(
  services: Services,
  actor: Actor,
  { token }: { token: string }
) {
  const { db, buckets, mail } = services
  await throttled(services, { wanted: buckets.tokens(actor.ip) }, () =>
    transaction(db, async (tx) => {
      const { userId } = await readLinkToken(tx, 'restore', token)
      const user = await lockUser(tx, userId ?? '')
      await consumeLinkToken(tx, 'restore', token)
      if (!user || !plannedDeletion(user)) throw invalidToken()
      await cancelDeletion(tx, mail, asUser(actor, user), user)
      await bumpUsers(tx, user.id)
    })
  )
}
