import type { SignedInActor } from '../actor.ts'
import {
  aheadSeconds,
  byProvider,
  isOneFactorProof,
  recentSeconds,
  refuseUnproved
} from '../factors/recent-authentication.ts'
import { findProviderAccount, useProviderAccount } from '../providers/accounts.ts'
import { ProviderRefusal } from '../providers/client.ts'
import { isOfDomains } from '../providers/identity.ts'
import { giveBack } from '../throttling/throttles.ts'
import { changeOwnUser } from './own-account.ts'
import { findAuthenticationTime } from './provider-return.ts'
import type { Returned } from './provider-return.ts'
import { raiseSession } from './reauthentication.ts'
import type { Context } from './context.ts'
import { requireProvided } from './session-provider.ts'

/**
 * Authenticates again with an own provider account. Returns the session and its new secret. Throws
 * `reauthentication-required` where one factor is not enough, `provider-required` for a provider
 * that is not the required one, and ProviderRefusal for another account and for an authentication
 * that is not recent.
 */
export async function proveProvider(
  context: Context,
  actor: SignedInActor,
  { provider, identity, begun, charge }: Returned
) {
  return changeOwnUser(context, actor, async (tx, user) => {
    const provided = { key: provider.key, isOfDomains: isOfDomains(provider, identity) }
    requireProvided(context.providers, user, provided)
    const account = await findProviderAccount(tx, identity)
    const isOwn =
      account?.userId === user.id && (await useProviderAccount(tx, account, provider, identity))
    if (!isOwn) throw new ProviderRefusal('other-account')
    const at = await findAuthenticationTime(tx, user, provider, identity)
    if (!isNew(at, begun)) throw new ProviderRefusal('not-recent')
    const proof = byProvider(identity.hasTwoFactors, at)
    if (proof.assurance === 1 && !(await isOneFactorProof(tx, actor, user))) {
      throw await refuseUnproved(tx, user.id, { least: 2 })
    }
    await giveBack(tx, charge, 'success')
    return raiseSession(tx, context.sessionRules, actor, proof)
  })
}

/**
 * The provider was asked to let the user authenticate anew. An authentication of before the flow,
 * as far as clocks may differ, shows that somebody has changed the request.
 */
function isNew(at: Date | undefined, begun: number) {
  const least = Math.max(begun - aheadSeconds * 1000, Date.now() - recentSeconds * 1000)
  return at === undefined || at.getTime() > least
}
