import { eq, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../domain-error.ts'
import { deletionPending } from '../errors.ts'
import {
  addProviderAccount,
  findProviderAccount,
  useProviderAccount
} from '../providers/accounts.ts'
import {
  accountExists,
  providerEmailMissing,
  providerRequired,
  signInRefused
} from '../providers/errors.ts'
import type { Address } from '../providers/identity.ts'
import { findRequired } from '../providers/provider.ts'
import { lockUser } from '../users/lock.ts'
import type { LockedUser } from '../users/lock.ts'
import { isPresent, plannedDeletion } from '../users/presence.ts'
import { insertUser } from '../users/users.ts'
import { linkOf, mayLink } from './automatic-links.ts'
import { refuseUnverified } from './password-sign-in.ts'
import { enter, nameFor, requireCreation } from './provider-entry.ts'
import type { ProviderSignIn } from './provider-entry.ts'
import { requestProviderAccount } from './provider-registration.ts'
import type { Services } from './services.ts'

/**
 * Signs in somebody whom a provider has identified, or creates an account. Returns a session, or a
 * pending login when a second factor is needed. Throws `sign-in-refused`, `account-exists`,
 * `provider-email-missing`, `registration-closed`, `email-unverified` (a link was sent),
 * `deletion-pending`,
 * `provider-required`, `too-many-providers` and `rate-limited`.
 */
export async function signInWithProvider(services: Services, actor: Actor, input: ProviderSignIn) {
  const result = await decideTwice(services, actor, input)
  if ('waits' in result) {
    throw await requestProviderAccount(services, actor, { ...input, address: result.waits })
  }
  if ('unverified' in result && services.mail) {
    const { mail } = services
    const account = { ...result.unverified, provider: input.provider.key }
    throw await refuseUnverified({ ...services, mail }, actor, { account, paid: input.charge })
  }
  if ('unverified' in result) throw signInRefused()
  return result
}

/** Somebody else may link the provider account, or register the address, at the same moment. */
async function decideTwice(services: Services, actor: Actor, input: ProviderSignIn) {
  const attempt = () => transaction(services.db, (tx) => decide(tx, services, actor, input))
  return attempt().catch((error: unknown) => {
    const isRace =
      error instanceof DomainError &&
      (error.code === 'provider-account-taken' || error.code === 'account-exists')
    if (!isRace) throw error
    return attempt()
  })
}

async function decide(tx: Db, services: Services, actor: Actor, input: ProviderSignIn) {
  const { provider, identity } = input
  const known = await findProviderAccount(tx, identity)
  const user = known && (await lockUser(tx, known.userId))
  if (user && (await useProviderAccount(tx, known, provider, identity))) {
    requirePresent(user)
    requireRestoring(user, input)
    if (services.mail?.verification === 'required' && !user.emailVerifiedAt) {
      return { unverified: user }
    }
    return enter(tx, services, actor, input, { user, account: known })
  }
  const { address } = identity
  if (!address) throw providerEmailMissing()
  const required = findRequired(services.providers, address.emailNormalized)
  const speaks = required?.key === provider.key && address.trust === 'authoritative'
  if (required && !speaks) throw providerRequired()
  const owner = await lockByEmail(tx, address.emailNormalized)
  if (!owner) return createAccount(tx, services, actor, input, address)
  requirePresent(owner)
  const link = linkOf(provider, identity, address)
  if (address.trust === 'claimed' || !(await mayLink(tx, services.providers, owner, link))) {
    throw accountExists()
  }
  return enter(tx, services, actor, input, { user: owner, account: { id: uuid(), link } })
}

function requirePresent(user: LockedUser) {
  if (!isPresent(user)) throw signInRefused()
}

/** Call it once the provider has proved who it is. */
function requireRestoring(user: LockedUser, { restore }: ProviderSignIn) {
  const deleteAt = plannedDeletion(user)
  if (deleteAt && !restore) throw deletionPending(user.id, deleteAt)
}

async function lockByEmail(tx: Db, emailNormalized: string) {
  const [found] = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.emailNormalized, emailNormalized))
  const user = found && (await lockUser(tx, found.id))
  // The address may have been changed while this waited.
  return user?.emailNormalized === emailNormalized ? user : undefined
}

async function createAccount(
  tx: Db,
  services: Services,
  actor: Actor,
  input: ProviderSignIn,
  address: Address
) {
  const { provider, identity, locale } = input
  requireCreation(services, provider)
  if (address.trust === 'claimed' && services.mail) return { waits: address }
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
  if (!user) throw accountExists()
  const details = { provider: provider.key }
  await record(tx, asUser(actor, user), 'auth.register', { userId: user.id, details })
  const account = await addProviderAccount(tx, user.id, provider, identity)
  return enter(tx, services, actor, input, { user, account })
}
