import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import type { StoredLink } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { recordFailure } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor, SignedInActor } from '../actor.ts'
import { sha256 } from '../crypto.ts'
import { DomainError } from '../errors.ts'
import { spendChallenge } from '../factors/challenges.ts'
import { factorsOf } from '../factors/enrolment.ts'
import {
  aheadSeconds,
  byProvider,
  isOneFactorProof,
  recentSeconds,
  refuseUnproved
} from '../factors/recent-authentication.ts'
import { findProviderAccount, useProviderAccount } from '../providers/accounts.ts'
import { ProviderRefusal } from '../providers/client.ts'
import type { CallbackParams } from '../providers/client.ts'
import { flowSeconds } from '../providers/flow-cookie.ts'
import type { Flow } from '../providers/flow-cookie.ts'
import { identityOf, isOfDomains } from '../providers/identity.ts'
import type { Identity } from '../providers/identity.ts'
import { findRequiredOf, timeless } from '../providers/provider.ts'
import type { Provider } from '../providers/provider.ts'
import type { SessionToken } from '../sessions/sessions.ts'
import { findDevice, isIncapable, throttled } from '../throttling/admission.ts'
import { giveBack, giveBackAfterError } from '../throttling/throttles.ts'
import type { Charge } from '../throttling/throttles.ts'
import type { LockedUser } from '../users/users.ts'
import type { Context } from './context.ts'
import { changeOwnUser } from './own-account.ts'
import { raiseSession } from './reauthentication.ts'
import { applyMappedRoles, meansOf, requireProvided, sessionProvider } from './session-provider.ts'
import { startSession } from './start-session.ts'

/** The flow that this browser began, and the parameters that the provider added. */
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
  context: Context,
  actor: Actor,
  { provider, flow, params, device: cookie }: Return,
  work: (returned: Returned) => Promise<T>
): Promise<T> {
  const { db, buckets, providerClient } = context
  const device = await findDevice(context, cookie)
  const wanted = buckets.providerReturn(actor.ip, device)
  const known = device && buckets.known(device.id, actor.ip)
  const paid = await throttled(context, { wanted, known }, async (charge) => charge)
  const charge = [...paid, ...buckets.provider(actor.ip, device)]
  let identity: Identity | undefined
  try {
    const spend = () => spendFlow(context, flow)
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
    if (!(error instanceof ProviderRefusal)) throw error
    throw new DomainError('provider-refused', { details: { reason: error.reason } })
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
async function spendFlow({ db }: Pick<Context, 'db'>, { state, expiresAt }: Flow) {
  const challenge = { hash: sha256(`flow:${state}`), expiresAt: new Date(expiresAt) }
  const spent = await transaction(db, (tx) => spendChallenge(tx, challenge))
  if (spent !== 'used') throw new DomainError('flow-expired')
}

/** For an authentication that nobody knows the time of: never recent. */
const longAgo = new Date(0)

/**
 * When somebody authenticated at a provider; undefined for now. A browser with a session at the
 * provider comes back at once, so the time of the return proves nothing. Some kinds never say the
 * time: their round trip counts as an authentication only for users who have nothing else.
 */
async function findAuthenticationTime(
  tx: Db,
  user: LockedUser,
  provider: Provider,
  { authenticatedAt: at }: Identity
): Promise<Date | undefined> {
  if (at) return at.getTime() < Date.now() + aheadSeconds * 1000 ? at : longAgo
  return timeless.includes(provider.kind) && (await isAlone(tx, user, provider))
    ? undefined
    : longAgo
}

/** Whether the user has neither a password that is accepted nor a second factor. */
async function isAlone(tx: Db, user: LockedUser, provider: Provider) {
  const withPassword = and(eq(users.id, user.id), isNotNull(users.passwordHash))
  const isRequired = findRequiredOf([provider], user) !== undefined
  return (
    (isRequired || (await tx.$count(users, withPassword)) === 0) &&
    (await factorsOf(tx, user.id)).length === 0
  )
}

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

export interface ProviderSignIn extends Returned {
  /** The device cookie of an earlier login in this browser. */
  device: string | undefined
  /** The language of the browser, for a new account. */
  locale: string | undefined
  /** Whether to restore an account whose deletion is planned. */
  restore?: boolean | undefined
  /** Whether the app has admitted the registration. */
  admitted?: boolean
  /** The sessions of the tokens in the request, which the new one replaces. */
  presented: SessionToken[]
}

/** Throws `registration-closed`. */
export function requireCreation(
  { registration }: Pick<Context, 'registration'>,
  { creates }: Provider
) {
  if (creates === 'never') throw new DomainError('registration-closed')
  if (creates === 'registration' && registration === 'closed') {
    throw new DomainError('registration-closed')
  }
}

/** Not every provider sends a name. */
export const nameFor = ({ name }: Identity, email: string) =>
  name ?? email.slice(0, email.lastIndexOf('@'))

interface Entry {
  user: LockedUser
  /** `link`: it is linked with the session. */
  account: { id: string; link?: StoredLink }
}

/** Starts the session of a locked user with one of their provider accounts. */
export async function signInToAccount(
  tx: Db,
  context: Context,
  actor: Actor,
  input: ProviderSignIn,
  { user, account }: Entry
) {
  const { devices, passkeys } = context
  const { provider, identity, presented, charge, restore } = input
  const waits = user.secondFactor && !identity.hasTwoFactors
  if (!account.link || !waits) await applyMappedRoles(tx, user, provider, identity)
  const nonce = devices.nonceFor(user, input.device)
  const provided = sessionProvider(provider, account, isOfDomains(provider, identity))
  const signIn = await startSession(tx, context, asUser(actor, user), {
    account: user,
    proof: byProvider(
      identity.hasTwoFactors,
      await findAuthenticationTime(tx, user, provider, identity)
    ),
    presented,
    charge,
    provided,
    rpId: passkeys?.rpId,
    restores: restore,
    onNewDevice: nonce === undefined ? meansOf(provided) : undefined
  })
  if (!signIn) throw new Error('a locked user could not sign in')
  return signIn.session ? { ...signIn, device: devices.issue(user, nonce) } : signIn
}
