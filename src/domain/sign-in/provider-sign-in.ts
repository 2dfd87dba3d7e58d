import { sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { noteConfirmed } from '../guard/confirmed-share.ts'
import {
  addProviderAccount,
  findProviderAccount,
  useProviderAccount
} from '../providers/accounts.ts'
import { ProviderRefusal } from '../providers/client.ts'
import type { Address } from '../providers/identity.ts'
import { findRequired } from '../providers/provider.ts'
import { isIncapable, throttled } from '../throttling/admission.ts'
import { giveBack } from '../throttling/throttles.ts'
import { returnAttempt } from '../tokens/tokens.ts'
import { insertUser, isPresent, lockByEmail, lockUser, plannedDeletion } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'
import { confirmRegistration, confirmUser, findWaiting } from './confirmation.ts'
import type { Context } from './context.ts'
import { refuseUnverified } from './password-sign-in.ts'
import { nameFor, requireCreation, signInToAccount } from './provider-return.ts'
import type { ProviderSignIn } from './provider-return.ts'
import { addRegistration, refuseDomain } from './registration.ts'
import { linkOf, mayLink } from './session-provider.ts'

/**
 * Signs in somebody whom a provider has identified, or creates an account. Returns a session, or a
 * pending login when a second factor is needed. Throws `sign-in-refused`, `account-exists`,
 * `provider-email-missing`, `registration-closed`, `email-unverified` (a link was sent),
 * `deletion-pending`,
 * `provider-required`, `too-many-providers`, `rate-limited`, and what the app throws before a
 * registration.
 */
export async function signInWithProvider(context: Context, actor: Actor, input: ProviderSignIn) {
  const result = await decideAdmitted(context, actor, input)
  if ('waits' in result) {
    throw await requestProviderAccount(context, actor, { ...input, address: result.waits })
  }
  if ('unverified' in result) {
    const account = { ...result.unverified, provider: input.provider.key }
    throw await refuseUnverified(context, actor, { account, paid: input.charge })
  }
  return result
}

/** The app is asked between two transactions, before an account is created in the second one. */
async function decideAdmitted(context: Context, actor: Actor, input: ProviderSignIn) {
  const first = await decideTwice(context, actor, input)
  if (!('asks' in first)) return first
  const { email } = first.asks
  await context.beforeRegister?.({ email, name: nameFor(input.identity, email), ip: actor.ip })
  const second = await decideTwice(context, actor, { ...input, admitted: true })
  if ('asks' in second) throw new Error('an admitted registration asks nobody')
  return second
}

/** Somebody else may link the provider account, or register the address, at the same moment. */
async function decideTwice(context: Context, actor: Actor, input: ProviderSignIn) {
  const attempt = () => transaction(context.db, (tx) => decide(tx, context, actor, input))
  return attempt().catch((error: unknown) => {
    const isRace =
      error instanceof DomainError &&
      (error.code === 'provider-account-taken' || error.code === 'account-exists')
    if (!isRace) throw error
    return attempt()
  })
}

async function decide(tx: Db, context: Context, actor: Actor, input: ProviderSignIn) {
  const { provider, identity } = input
  const known = await findProviderAccount(tx, identity)
  const user = known && (await lockUser(tx, known.userId))
  if (user && (await useProviderAccount(tx, known, provider, identity))) {
    requirePresent(user)
    requireRestoring(user, input)
    if (context.mail?.verification === 'required' && !user.emailVerifiedAt) {
      return { unverified: user }
    }
    return signInToAccount(tx, context, actor, input, { user, account: known })
  }
  const { address } = identity
  if (!address) throw new DomainError('provider-email-missing')
  const required = findRequired(context.providers, address.emailNormalized)
  const speaks = required?.key === provider.key && address.trust === 'authoritative'
  if (required && !speaks) throw new DomainError('provider-required')
  const owner = await lockByEmail(tx, address.emailNormalized)
  if (!owner) return createAccount(tx, context, actor, input, address)
  requirePresent(owner)
  const link = linkOf(provider, identity, address)
  if (address.trust === 'claimed' || !(await mayLink(tx, context.providers, owner, link))) {
    throw new DomainError('account-exists')
  }
  return signInToAccount(tx, context, actor, input, { user: owner, account: { id: uuid(), link } })
}

function requirePresent(user: LockedUser) {
  if (!isPresent(user)) throw new DomainError('sign-in-refused')
}

/** Call it once the provider has proved who it is. */
function requireRestoring(user: LockedUser, { restore }: ProviderSignIn) {
  const deleteAt = plannedDeletion(user)
  if (deleteAt && !restore) {
    throw new DomainError('deletion-pending', { details: { userId: user.id }, deleteAt })
  }
}

async function createAccount(
  tx: Db,
  context: Context,
  actor: Actor,
  input: ProviderSignIn,
  address: Address
) {
  const { provider, identity, locale } = input
  requireCreation(context, provider)
  refuseDomain(context, address.emailNormalized)
  if (context.beforeRegister && !input.admitted) return { asks: address }
  if (address.trust === 'claimed' && context.mail) return { waits: address }
  const { email, emailNormalized, trust } = address
  const id = await insertUser(
    tx,
    {
      email,
      emailNormalized,
      name: nameFor(identity, email),
      locale,
      ...(trust === 'authoritative' && { emailVerifiedAt: sql`now()` })
    },
    ['user']
  )
  const user = id === undefined ? undefined : await lockUser(tx, id)
  if (!user) throw new DomainError('account-exists')
  const details = { provider: provider.key }
  await record(tx, asUser(actor, user), 'auth.register', { userId: user.id, details })
  const account = await addProviderAccount(tx, user.id, provider, identity)
  return signInToAccount(tx, context, actor, input, { user, account })
}

// An account whose provider does not speak for the mailbox: its address is confirmed with a link,
// and the provider account completes it, as the password does for a registration with one.

/**
 * Sends a link to the address that a provider claims, and returns the refusal that says so. Throws
 * `rate-limited`.
 */
async function requestProviderAccount(
  context: Context,
  actor: Actor,
  { provider, identity, address, locale, charge }: ProviderSignIn & { address: Address }
) {
  const { buckets, db, mail } = context
  const { email, emailNormalized } = address
  const wanted = buckets.mail(actor, 'registration', emailNormalized)
  if (!mail) throw new Error('without mail nothing waits')
  const { issuer, subject } = identity
  const from = { provider: provider.key, issuer, subject, name: nameFor(identity, email) }
  await throttled(context, { wanted }, () =>
    transaction(db, async (tx) => {
      await addRegistration(tx, mail, actor, { ...from, email, emailNormalized, locale })
      await giveBack(tx, charge, 'success')
    })
  )
  return new DomainError('email-unverified')
}

/**
 * Creates the account of a registration, or confirms the address of a user: the link proves the
 * mailbox, and the provider account that it is the same person. Throws `invalid-token`,
 * `registration-closed`, and ProviderRefusal for another provider account; five of these invalidate
 * the link. A try that could not be completed does not count.
 */
export async function confirmWithProvider(
  context: Context,
  actor: Actor,
  input: ProviderSignIn & { token: string }
) {
  const { buckets, db } = context
  const { token, provider, identity } = input
  const waiting = await transaction(db, (tx) => findWaiting(tx, token))
  if (!waiting) throw new DomainError('invalid-token')
  const { registration } = waiting
  try {
    if (!registration) {
      return await transaction(db, (tx) => confirmOwn(tx, context, actor, input, waiting))
    }
    if (registration.issuer !== identity.issuer || registration.subject !== identity.subject) {
      throw new ProviderRefusal('other-account')
    }
    requireCreation(context, provider)
    return await transaction(db, async (tx) => {
      const details = { provider: provider.key }
      const { id } = await confirmRegistration(tx, actor, registration, token, details)
      const user = await lockUser(tx, id)
      if (!user) throw new DomainError('invalid-token')
      const account = await addProviderAccount(tx, id, provider, identity)
      await noteConfirmed(tx, buckets, registration.id)
      return signInToAccount(tx, context, actor, input, { user, account })
    })
  } catch (error) {
    if (isIncapable(error)) await transaction(db, (tx) => returnAttempt(tx, 'confirm', token))
    throw error
  }
}

/** Confirms the address of a user with a provider account of theirs. */
async function confirmOwn(
  tx: Db,
  context: Context,
  actor: Actor,
  input: ProviderSignIn & { token: string },
  waiting: { user: { id: string } }
) {
  const { token, provider, identity } = input
  const user = await lockUser(tx, waiting.user.id)
  if (!user || !isPresent(user)) throw new DomainError('invalid-token')
  const account = await findProviderAccount(tx, identity)
  const isOwn =
    account?.userId === user.id && (await useProviderAccount(tx, account, provider, identity))
  if (!isOwn) throw new ProviderRefusal('other-account')
  await confirmUser(tx, actor, user, token)
  await bumpUsers(tx, user.id)
  await noteConfirmed(tx, context.buckets, user.id)
  // Planning a deletion invalidates the links of before: this one is of a user who restores.
  return signInToAccount(tx, context, actor, { ...input, restore: true }, { user, account })
}
