import type { Intent } from '../../../db/schema/provider-accounts.ts'
import { transaction } from '../../../db/transaction.ts'
import type { Actor, SignedInActor } from '../actor.ts'
import { invalidFields } from '../domain-error.ts'
import { unauthenticated } from '../errors.ts'
import { findProviderKeys } from '../providers/accounts.ts'
import { flowExpired, providerAccountNotFound, unknownProvider } from '../providers/errors.ts'
import { flowSeconds, newSecrets } from '../providers/flows.ts'
import type { Flow } from '../providers/flows.ts'
import type { Provider } from '../providers/provider.ts'
import { findSelf } from '../sign-in/confirmed-identity.ts'
import { findDevice } from '../sign-in/known-devices.ts'
import type { ProviderSignIn } from '../sign-in/provider-entry.ts'
import { proveProvider } from '../sign-in/provider-proof.ts'
import { confirmWithProvider } from '../sign-in/provider-registration.ts'
import { withReturned } from '../sign-in/provider-return.ts'
import type { Return } from '../sign-in/provider-return.ts'
import { signInWithProvider } from '../sign-in/provider-sign-in.ts'
import { requireProvided } from '../sign-in/required-provider.ts'
import type { Services } from '../sign-in/services.ts'
import { throttled } from '../throttling/admission.ts'
import { lockToAddFactor } from './adding-factors.ts'
import { proveByRequiredProvider } from './first-proof.ts'
import { linkProvider } from './provider-links.ts'

/** Throws `unknown-provider`. */
export function requireProvider({ providers }: Pick<Services, 'providers'>, key: string): Provider {
  const provider = providers.find((each) => each.key === key)
  if (!provider) throw unknownProvider()
  return provider
}

interface Start {
  /** The signed-in user, if there is one. */
  self: SignedInActor | undefined
  key: string
  intent: Intent
  returnTo: string
  errorTo: string
  /** For the sign-in form of the provider. */
  email?: string | undefined
  /** Of the link that confirms a registration. */
  token?: string | undefined
  /** Whether to restore an account whose deletion is planned. */
  restore?: boolean | undefined
  /** The device cookie of an earlier login in this browser. */
  device: string | undefined
  /** Whether somebody has signed out in this browser, and nobody has signed in since. */
  hasSignedOut?: boolean
}

/**
 * Begins a way through a provider. Returns the flow, and the URL to which the browser is led. What
 * can be refused is refused now, before the user leaves: throws `unknown-provider`,
 * `unauthenticated`, `reauthentication-required`, `email-unverified`, `provider-account-not-found`,
 * `provider-required`, `provider-unavailable`, `rate-limited`, and a refusal that names `token`.
 */
export async function beginFlow(
  services: Services,
  actor: Actor,
  {
    self,
    key,
    intent,
    returnTo,
    errorTo,
    email,
    token,
    restore,
    device: cookie,
    hasSignedOut = false
  }: Start
) {
  const { buckets, db, providerClient } = services
  const provider = requireProvider(services, key)
  if (intent === 'confirm' && token === undefined) {
    throw invalidFields({ pointer: '/token', code: 'required', message: 'Is missing' })
  }
  const isOwn = intent === 'link' || intent === 'reauthenticate'
  if (isOwn && !self) throw unauthenticated()
  const device = await findDevice(services, cookie)
  const wanted = buckets.provider(actor.ip, device)
  const known = device && buckets.known(device.id, actor.ip)
  await throttled(services, { wanted, known }, async () => {
    if (intent === 'link' && self) {
      await transaction(db, (tx) => lockToAddFactor(tx, services, self))
    }
    if (intent === 'reauthenticate' && self) {
      const account = await findSelf(db, self)
      if (!(await findProviderKeys(db, account.id)).includes(key)) throw providerAccountNotFound()
      requireProvided(services.providers, account, { key, isOfDomains: true })
    }
  })
  const secrets = newSecrets()
  const again = intent === 'reauthenticate'
  // Somebody may have planted a session at the provider, or left theirs there.
  const chooses = intent === 'link' || (intent === 'sign-in' && hasSignedOut)
  const options = { again, chooses, email }
  const url = await providerClient.authorizationUrl(provider, secrets, options)
  const flow: Flow = {
    ...secrets,
    provider: key,
    intent,
    returnTo,
    errorTo,
    expiresAt: Date.now() + flowSeconds * 1000,
    ...(isOwn && self && { owner: { userId: self.id, sessionId: self.sessionId } }),
    ...(intent === 'sign-in' && restore === true && { restore }),
    ...(intent === 'confirm' && token !== undefined && { token })
  }
  return { url, flow }
}

/**
 * Completes a way through a provider: what it results in depends on its intent. A flow of a session
 * counts in this session only. Throws what the intents throw, and `flow-expired`.
 */
export async function completeFlow(
  services: Services,
  actor: Actor,
  came: Return & Pick<Start, 'self'> & Pick<ProviderSignIn, 'device' | 'locale' | 'presented'>
) {
  const { flow, self, device, locale, presented } = came
  const owner = ownerOf(flow, self)
  return withReturned(services, actor, came, async (returned) => {
    const input = { ...returned, device, locale, presented, restore: flow.restore }
    switch (flow.intent) {
      case 'sign-in':
        await proveByRequiredProvider(services, actor, returned)
        return signInWithProvider(services, actor, input)
      case 'confirm':
        return confirmWithProvider(services, actor, { ...input, token: flow.token ?? '' })
      case 'link':
        return linkProvider(services, owner(), returned)
      case 'reauthenticate':
        return { renewed: await proveProvider(services, owner(), returned) }
    }
  })
}

/** Checked before the provider is asked. */
function ownerOf({ owner }: Flow, self: SignedInActor | undefined) {
  if (owner && (owner.userId !== self?.id || owner.sessionId !== self.sessionId)) {
    throw flowExpired()
  }
  return (): SignedInActor => {
    if (!owner || !self) throw flowExpired()
    return self
  }
}
