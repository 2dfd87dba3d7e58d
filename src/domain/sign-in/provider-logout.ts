import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { pendingLogins, sessions } from '../../../db/schema/sessions.ts'
import { transaction } from '../../../db/transaction.ts'
import { record, recordFailure } from '../activity/record.ts'
import { job } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { sha256 } from '../crypto.ts'
import { DomainError } from '../errors.ts'
import { spendChallenge } from '../factors/challenges.ts'
import { endPendingLinks } from '../factors/pending-logins.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { isOwnedBy, revokeKeys } from '../keys/keys.ts'
import { findProviderAccount, noteLogout } from '../providers/accounts.ts'
import { ProviderRefusal } from '../providers/client.ts'
import type { LogoutClaims } from '../providers/client.ts'
import { findRequiredOf } from '../providers/provider.ts'
import type { Provider } from '../providers/provider.ts'
import { isUnexpired, revoke } from '../sessions/sessions.ts'
import { throttled } from '../throttling/admission.ts'
import { giveBack } from '../throttling/throttles.ts'
import { lockUser } from '../users/users.ts'
import type { Context } from './context.ts'

/** Milliseconds for which a logout token is remembered. It is accepted for less. */
const remembered = 600_000

/**
 * Ends the sessions that began with a provider account, as its provider asks with a logout token
 * (OpenID Connect Back-Channel Logout 1.0), and refuses those that are under way. The API keys of a
 * user who must sign in there end as well: the user may have left. A token counts once; the next
 * time nothing is left to end. Throws `provider-refused` with status 400, `provider-unavailable`
 * and `rate-limited`.
 */
export async function endProviderSessions(
  context: Context,
  actor: Actor,
  { provider, token }: { provider: Provider; token: string }
) {
  const { buckets, db, providerClient } = context
  const wanted = buckets.provider(actor.ip)
  const charge = await throttled(context, { wanted }, async (charge) => charge)
  try {
    const claims = await providerClient.verifyLogout(provider, token)
    await transaction(db, async (tx) => {
      const expiresAt = new Date(Date.now() + remembered)
      const spent = await spendChallenge(tx, { hash: hashOf(claims), expiresAt })
      if (spent !== 'used') throw new ProviderRefusal('repeated')
      // In the order of sign-ins, the user's row first: otherwise both could wait for each other.
      const known = await lockOwner(tx, claims)
      await endPendingLinks(tx, claims)
      // A sign-in that has just been completed may have linked the account.
      const found = known ?? (await lockOwner(tx, claims))
      await giveBack(tx, charge, 'success')
      if (!found) return
      const { user, accountId } = found
      await noteLogout(tx, accountId, claims.issuedAt)
      const began = eq(sessions.providerAccountId, accountId)
      await tx.delete(pendingLogins).where(eq(pendingLogins.providerAccountId, accountId))
      const { length: revoked } = await revoke(tx, 'provider', and(began, isUnexpired))
      const details = { provider: provider.key, revoked }
      await record(tx, actor, 'auth.provider-logout', { userId: user.id, details })
      if (findRequiredOf(context.providers, user)?.key === provider.key) {
        await revokeKeysOf(tx, user.id)
      }
      await bumpUsers(tx, user.id)
    })
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    await recordFailure(db, actor, 'auth.provider-logout', {
      reason: error.reason,
      details: { provider: provider.key }
    })
    throw new DomainError('provider-refused', { status: 400, details: { reason: error.reason } })
  }
}

async function lockOwner(tx: Db, claims: LogoutClaims) {
  const account = await findProviderAccount(tx, claims)
  const user = account && (await lockUser(tx, account.userId))
  return user && { user, accountId: account.id }
}

async function revokeKeysOf(tx: Db, userId: string) {
  const { length: revoked } = await revokeKeys(tx, isOwnedBy({ type: 'user', id: userId }))
  if (revoked === 0) return
  await record(tx, job, 'key.revoke', { userId, reason: 'provider', details: { revoked } })
}

const hashOf = ({ issuer, jti }: LogoutClaims) => sha256(`logout:${JSON.stringify([issuer, jti])}`)
