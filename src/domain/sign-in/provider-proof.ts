import type { SignedInActor } from '../actor.ts'
import { byProvider } from '../factors/proofs.ts'
import {
  aheadSeconds,
  isOneFactorProof,
  recentSeconds,
  refuseUnproved
} from '../factors/recent-authentication.ts'
import { findProviderAccount, useProviderAccount } from '../providers/accounts.ts'
import { ProviderRefusal } from '../providers/client.ts'
import { isOfDomains } from '../providers/identity.ts'
import { giveBack } from '../throttling/throttles.ts'
import { changeSelf } from './confirmed-identity.ts'
import type { Returned } from './provider-return.ts'
import { findAuthenticationTime } from './provider-time.ts'
import { raiseSession } from './reauthentication.ts'
import { requireProvided } from './required-provider.ts'
import type { Services } from './services.ts'

/**
 * Authenticates again with an own provider account. Returns the session and its new secret. Throws
 * `reauthentication-required` where one factor is not enough, `provider-required` for a provider
 * that is not the required one, and ProviderRefusal for another account and for an authentication
 * that is not recent.
 */
export async function proveProvider(
  services: Services,
  actor: SignedInActor,
  { provider, identity, begun, charge }: Returned
) {
  return changeSelf(services, actor, async (tx, user) => {
    const provided = { key: provider.key, isOfDomains: isOfDomains(provider, identity) }
    requireProvided(services.providers, user, provided)
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
    return raiseSession(tx, services.sessionRules, actor, proof)
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
