import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import type { Intent } from '../../../db/schema/provider-accounts.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor, SignedInActor } from '../actor.ts'
import { DomainError, invalidFields } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import { findProviderAccount, findProviderKeys, useProviderAccount } from '../providers/accounts.ts'
import { flowSeconds, newSecrets } from '../providers/flow-cookie.ts'
import type { Flow } from '../providers/flow-cookie.ts'
import { findRequired } from '../providers/provider.ts'
import type { Provider } from '../providers/provider.ts'
import { revokeAllKeys } from '../services/key-revocation.ts'
import { isUnexpired, revoke } from '../sessions/sessions.ts'
import type { Context } from '../sign-in/context.ts'
import { findOwnUser } from '../sign-in/own-account.ts'
import { proveProvider, withReturned } from '../sign-in/provider-return.ts'
import type { ProviderSignIn, Return, Returned } from '../sign-in/provider-return.ts'
import { confirmWithProvider, signInWithProvider } from '../sign-in/provider-sign-in.ts'
import { cancelDeletion } from '../sign-in/restoration.ts'
import { requireProvided, revokeMappedRoles } from '../sign-in/session-provider.ts'
import { findDevice, throttled } from '../throttling/admission.ts'
import { deleteLinkTokens } from '../tokens/tokens.ts'
import {
  isPresent,
  lockByEmail,
  nextCredentials,
  plannedDeletion,
  writeUser
} from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'
import { lockToAddFactor } from './factor-changes.ts'
import { linkProvider } from './provider-links.ts'
import { nameAll } from './recovery-links.ts'
import { confirmByRecovery } from './recovery.ts'

/** Throws `unknown-provider`. */
export function requireProvider({ providers }: Pick<Context, 'providers'>, key: string): Provider {
  const provider = providers.find((each) => each.key === key)
  if (!provider) throw new DomainError('unknown-provider')
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
  /** Token of the link that confirms a registration. */
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
  context: Context,
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
  const { buckets, db, providerClient } = context
  const provider = requireProvider(context, key)
  if (intent === 'confirm' && token === undefined) {
    throw invalidFields({ pointer: '/token', code: 'required', message: 'Is missing' })
  }
  const isOwn = intent === 'link' || intent === 'reauthenticate'
  if (isOwn && !self) throw new DomainError('unauthenticated')
  const device = await findDevice(context, cookie)
  const wanted = buckets.provider(actor.ip, device)
  const known = device && buckets.known(device.id, actor.ip)
  await throttled(context, { wanted, known }, async () => {
    if (intent === 'link' && self) {
      await transaction(db, (tx) => lockToAddFactor(tx, context, self))
    }
    if (intent === 'reauthenticate' && self) {
      const account = await findOwnUser(db, self)
      if (!(await findProviderKeys(db, account.id)).includes(key)) {
        throw new DomainError('provider-account-not-found')
      }
      requireProvided(context.providers, account, { key, isOfDomains: true })
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
  context: Context,
  actor: Actor,
  came: Return & Pick<Start, 'self'> & Pick<ProviderSignIn, 'device' | 'locale' | 'presented'>
) {
  const { flow, self, device, locale, presented } = came
  const owner = ownerOf(flow, self)
  return withReturned(context, actor, came, async (returned) => {
    const input = { ...returned, device, locale, presented, restore: flow.restore }
    switch (flow.intent) {
      case 'sign-in':
        await proveByRequiredProvider(context, actor, returned)
        return signInWithProvider(context, actor, input)
      case 'confirm':
        return confirmWithProvider(context, actor, { ...input, token: flow.token ?? '' })
      case 'link':
        return linkProvider(context, owner(), returned)
      case 'reauthenticate':
        return { renewed: await proveProvider(context, owner(), returned) }
    }
  })
}

/** Checked before the provider is asked. */
function ownerOf({ owner }: Flow, self: SignedInActor | undefined) {
  if (owner && (owner.userId !== self?.id || owner.sessionId !== self.sessionId)) {
    throw new DomainError('flow-expired')
  }
  return (): SignedInActor => {
    if (!owner || !self) throw new DomainError('flow-expired')
    return self
  }
}

/**
 * Confirms the address of an account for its owner, whom the provider has identified with which
 * users of the domain must sign in. If that provider account is linked to it, nothing else changes,
 * and the sign-in asks for the second factor. Otherwise somebody else may have registered with the
 * address before, and the owner has no other way in: as after a recovery, this is the first proof
 * of the mailbox, and nothing that was added before outlives it. Without effect for a confirmed
 * address. Throws ProviderRefusal like useProviderAccount.
 */
async function proveByRequiredProvider(
  context: Pick<Context, 'db' | 'mail' | 'providers'>,
  actor: Actor,
  { provider, identity }: Pick<Returned, 'provider' | 'identity'>
) {
  const { address } = identity
  if (address?.trust !== 'authoritative') return
  const { emailNormalized } = address
  if (findRequired(context.providers, emailNormalized)?.key !== provider.key) return
  await transaction(context.db, async (tx) => {
    const user = await lockByEmail(tx, emailNormalized)
    if (!user || user.emailVerifiedAt) return
    const known = await findProviderAccount(tx, identity)
    if (!isPresent(user) || (known && known.userId !== user.id)) return
    if (known) {
      await useProviderAccount(tx, known, provider, identity)
      await writeUser(tx, user.id, { emailVerifiedAt: sql`now()` })
      const details = { provider: provider.key }
      await record(tx, asUser(actor, user), 'user.email-verify', { userId: user.id, details })
    } else {
      await takeFromStranger(tx, context, actor, { provider, user })
    }
    await bumpUsers(tx, user.id)
  })
}

/** The mail says what is gone: the owner may have added some of it, and never confirmed. */
async function takeFromStranger(
  tx: Db,
  { mail, providers }: Pick<Context, 'mail' | 'providers'>,
  actor: Actor,
  { provider, user }: { provider: Provider; user: LockedUser }
) {
  const by = asUser(actor, user)
  const { id: userId } = user
  const confirmed = { ...user, emailVerifiedAt: new Date() }
  if (plannedDeletion(user)) await cancelDeletion(tx, mail, by, confirmed)
  const { removed, unlinked } = await confirmByRecovery(tx, user)
  const withPassword = and(eq(users.id, userId), isNotNull(users.passwordHash))
  const hadPassword = (await tx.$count(users, withPassword)) > 0
  await writeUser(tx, userId, { passwordHash: null, ...nextCredentials })
  const purposes = ['confirm', 'password-reset', 'email-change', 'factor-enrolment'] as const
  await deleteLinkTokens(tx, [...purposes], { userId })
  const isOpen = and(eq(sessions.userId, userId), isUnexpired)
  const { length: revoked } = await revoke(tx, 'provider', isOpen)
  const details = { provider: provider.key, revoked }
  await record(tx, by, 'user.email-verify', { userId, details })
  const why = { userId, reason: 'unconfirmed' }
  if (removed.length > 0) await record(tx, by, 'user.second-factor-reset', why)
  for (const key of unlinked) {
    await record(tx, by, 'user.provider-unlink', { ...why, details: { provider: key } })
  }
  await revokeMappedRoles(tx, user, providers, unlinked)
  const keysEnded = await revokeAllKeys(tx, by)
  if (!hadPassword && removed.length + unlinked.length + keysEnded === 0) return
  await notify(tx, mail, confirmed, {
    kind: 'password-changed',
    ...factsOf(actor),
    removed,
    unlinked: nameAll(providers, unlinked),
    keysEnded
  })
}
