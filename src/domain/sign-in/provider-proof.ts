import { eq, isNotNull, and } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { users } from '../../../db/schema/users.ts'
import type { SignedInActor } from '../actor.ts'
import { factorsOf } from '../factors/methods.ts'
import { byProvider } from '../factors/proofs.ts'
import {
  aheadSeconds,
  isOneFactorProof,
  recentSeconds,
  refuseUnproved
} from '../factors/recent-authentication.ts'
import { findProviderAccount, useProviderAccount } from '../providers/accounts.ts'
import { ProviderRefusal } from '../providers/client.ts'
import type { Identity } from '../providers/identity.ts'
import { giveBack } from '../throttling/throttles.ts'
import { changeSelf } from './confirmed-identity.ts'
import type { Returned } from './provider-return.ts'
import { raiseSession } from './reauthentication.ts'
import type { Services } from './services.ts'

/**
 * Authenticates again with an own provider account. Returns the session and its new secret. Throws
 * `reauthentication-required` where one factor is not enough, and ProviderRefusal for another
 * account and for an authentication that is not recent.
 */
export async function proveProvider(
  services: Services,
  actor: SignedInActor,
  { provider, identity, charge }: Returned
) {
  const proof = byProvider(identity.hasTwoFactors)
  return changeSelf(services, actor, async (tx, user) => {
    const account = await findProviderAccount(tx, identity)
    const isOwn =
      account?.userId === user.id && (await useProviderAccount(tx, account, provider, identity))
    if (!isOwn) throw new ProviderRefusal('other-account')
    if (!(await isRecent(tx, user.id, identity))) throw new ProviderRefusal('not-recent')
    if (proof.assurance === 1 && !(await isOneFactorProof(tx, actor, user))) {
      throw await refuseUnproved(tx, user.id, { least: 2 })
    }
    await giveBack(tx, charge, 'success')
    return raiseSession(tx, services.sessionRules, actor, proof)
  })
}

/**
 * Some providers neither ask again nor say when the user authenticated. Their round trip only shows
 * that the browser is signed in there, which counts for users who have nothing else.
 */
async function isRecent(tx: Db, userId: string, { authenticatedAt }: Identity) {
  if (authenticatedAt !== undefined) {
    const age = Date.now() / 1000 - authenticatedAt
    return age < recentSeconds && age > -aheadSeconds
  }
  const withPassword = and(eq(users.id, userId), isNotNull(users.passwordHash))
  return (await tx.$count(users, withPassword)) === 0 && (await factorsOf(tx, userId)).length === 0
}
