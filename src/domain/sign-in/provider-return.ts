import { transaction } from '../../../db/transaction.ts'
import { recordFailure } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { sha256 } from '../crypto.ts'
import { DomainError } from '../domain-error.ts'
import { spendChallenge } from '../factors/challenges.ts'
import { ProviderRefusal } from '../providers/client.ts'
import type { CallbackParams } from '../providers/client.ts'
import { flowExpired, providerRefused } from '../providers/errors.ts'
import { flowSeconds } from '../providers/flows.ts'
import type { Flow } from '../providers/flows.ts'
import { identityOf } from '../providers/identity.ts'
import type { Identity } from '../providers/identity.ts'
import type { Provider } from '../providers/provider.ts'
import { isIncapable, throttled } from '../throttling/admission.ts'
import { giveBackAfterError } from '../throttling/throttles.ts'
import type { Charge } from '../throttling/throttles.ts'
import { findDevice } from './known-devices.ts'
import type { Services } from './services.ts'

/** What came back to this browser: the flow that it began, and what the provider added. */
export interface Return {
  provider: Provider
  flow: Flow
  params: CallbackParams
  /** The device cookie of an earlier login in this browser. */
  device: string | undefined
}

/** Who came back. */
export interface Returned {
  provider: Provider
  identity: Identity
  /** When the flow began, in milliseconds. */
  begun: number
  /** Returned after a success. */
  charge: Charge
}

/**
 * Finds out who came back from a provider, then does the work with it. Each flow is accepted once,
 * on all instances. The attempt counts before the provider is asked, but nobody waits in the queue
 * of their network address while it answers. A success returns what the beginning cost as well.
 * Throws `flow-expired`, `provider-refused`,
 * `provider-unavailable`, `rate-limited` and `overloaded`. Refusals are recorded, without anything
 * that the provider said.
 */
export async function withReturned<T>(
  services: Services,
  actor: Actor,
  { provider, flow, params, device: cookie }: Return,
  work: (returned: Returned) => Promise<T>
): Promise<T> {
  const { db, buckets, providerClient } = services
  const device = await findDevice(services, cookie)
  const wanted = buckets.providerReturn(actor.ip, device)
  const known = device && buckets.known(device.id, actor.ip)
  const paid = await throttled(services, { wanted, known }, async (charge) => charge)
  const charge = [...paid, ...buckets.provider(actor.ip, device)]
  let identity: Identity | undefined
  try {
    const spend = () => spendFlow(services, flow)
    const claims = await providerClient.identify(provider, params, flow, spend)
    identity = identityOf(provider, claims)
    const begun = flow.expiresAt - flowSeconds * 1000
    return await work({ provider, identity, begun, charge })
  } catch (error) {
    if (isIncapable(error)) await giveBackAfterError(db, paid, 'refused')
    const reason = reasonOf(error, provider, identity)
    if (reason === undefined) throw error
    const userId = error instanceof DomainError ? error.details?.userId : undefined
    await recordFailure(db, actor, 'auth.provider-refused', {
      reason,
      userId,
      details: { provider: provider.key }
    })
    throw error instanceof ProviderRefusal ? providerRefused(error.reason) : error
  }
}

/** Undefined for what neither the portal nor the provider refuses, but cannot be done now. */
function reasonOf(error: unknown, provider: Provider, identity: Identity | undefined) {
  if (error instanceof ProviderRefusal) return error.reason
  if (!(error instanceof DomainError)) return undefined
  if (error.code === 'provider-required' && provider.required) {
    // The user has come from the required provider, so the operator must learn what it did not say.
    return identity?.address ? 'other-domain' : 'provider-email-missing'
  }
  return error.details?.reason ?? (error.statusCode < 500 ? error.code : undefined)
}

/** Throws `flow-expired`. */
async function spendFlow({ db }: Pick<Services, 'db'>, { state, expiresAt }: Flow) {
  const challenge = { hash: sha256(`flow:${state}`), expiresAt: new Date(expiresAt) }
  const spent = await transaction(db, (tx) => spendChallenge(tx, challenge))
  if (spent !== 'used') throw flowExpired()
}
