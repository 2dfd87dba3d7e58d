import { transaction } from '../../../db/transaction.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { invalidToken } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { revokeAllKeys } from '../machines/revocation.ts'
import type { Services } from '../sign-in/services.ts'
import { throttled } from '../throttling/admission.ts'
import { consumeLinkToken, readLinkToken } from '../tokens/tokens.ts'
import { lockUser } from '../users/lock.ts'

/**
 * Revokes all API keys of a user with the link in the mail about a recovery, which lists them.
 * Signs nobody in. Throws `invalid-token` and `rate-limited`.
 */
export async function endKeysByLink(
  services: Services,
  actor: Actor,
  { token }: { token: string }
) {
  const { db, buckets } = services
  await throttled(services, { wanted: buckets.tokens(actor.ip) }, () =>
    transaction(db, async (tx) => {
      const { userId } = await readLinkToken(tx, 'key-revocation', token)
      const user = await lockUser(tx, userId ?? '')
      await consumeLinkToken(tx, 'key-revocation', token)
      if (!user) throw invalidToken()
      await revokeAllKeys(tx, asUser(actor, user))
      await bumpUsers(tx, user.id)
    })
  )
}
