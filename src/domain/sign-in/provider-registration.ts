import { asc, eq, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { ofSeconds } from '../../../db/intervals.ts'
import { registrations } from '../../../db/schema/registrations.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { emailUnverified, invalidToken } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { expiry, requestConfirmation } from '../mail/requests.ts'
import {
  addProviderAccount,
  findProviderAccount,
  useProviderAccount
} from '../providers/accounts.ts'
import { ProviderRefusal } from '../providers/client.ts'
import type { Address } from '../providers/identity.ts'
import { throttled } from '../throttling/admission.ts'
import { giveBack } from '../throttling/throttles.ts'
import { consumeLinkToken, countTry } from '../tokens/tokens.ts'
import { normalizeEmail } from '../users/emails.ts'
import { lockUser } from '../users/lock.ts'
import { isPresent } from '../users/presence.ts'
import { insertUser, writeUser } from '../users/users.ts'
import { enter, nameFor, requireCreation } from './provider-entry.ts'
import type { ProviderSignIn } from './provider-entry.ts'
import type { Services } from './services.ts'

// An account whose provider does not speak for the mailbox: its address is confirmed with a link,
// and the provider account completes it, as the password does for a registration with one.

/**
 * Sends a link to the address that a provider claims, and returns the refusal that says so. Throws
 * `rate-limited`.
 */
export async function requestProviderAccount(
  services: Services,
  actor: Actor,
  { provider, identity, address, locale, charge }: ProviderSignIn & { address: Address }
) {
  const { buckets, db, mail } = services
  const { email, emailNormalized } = address
  const wanted = buckets.register(actor.ip, emailNormalized)
  await throttled(services, { wanted }, () =>
    transaction(db, async (tx) => {
      if (!mail) throw new Error('without mail nothing waits')
      const id = uuid()
      await tx.insert(registrations).values({
        id,
        email,
        emailNormalized,
        name: nameFor(identity, email),
        provider: provider.key,
        issuer: identity.issuer,
        subject: identity.subject,
        locale,
        ip: actor.ip,
        expiresAt: sql`now() + ${ofSeconds(expiry.registration)}`
      })
      await requestConfirmation(tx, mail, actor, id)
      await giveBack(tx, charge, 'success')
    })
  )
  return emailUnverified()
}

/**
 * Creates the account of a registration, or confirms the address of a user: the link proves the
 * mailbox, and the provider account that it is the same person. Throws `invalid-token`,
 * `registration-closed`, and ProviderRefusal for another provider account; five of these invalidate
 * the link.
 */
export async function confirmWithProvider(
  services: Services,
  actor: Actor,
  input: ProviderSignIn & { token: string }
) {
  const { db } = services
  const { token, provider, identity } = input
  const waiting = await transaction(db, (tx) => findWaiting(tx, token))
  if (waiting?.userId !== undefined) {
    const { userId } = waiting
    return transaction(db, (tx) => confirmUser(tx, services, actor, input, userId))
  }
  const registration = waiting?.registration
  if (!registration) throw invalidToken()
  if (registration.issuer !== identity.issuer || registration.subject !== identity.subject) {
    throw new ProviderRefusal('other-account')
  }
  requireCreation(services, provider)
  return transaction(db, async (tx) => {
    const { email, emailNormalized, name, locale } = registration
    const ofAddress = eq(registrations.emailNormalized, emailNormalized)
    // In a fixed order: of two concurrent confirmations, the second one finds no registration.
    await tx
      .select({ id: registrations.id })
      .from(registrations)
      .where(ofAddress)
      .orderBy(asc(registrations.id))
      .for('update')
    await consumeLinkToken(tx, 'confirm', token)
    const emailVerifiedAt = sql`now()`
    const account = { email, emailNormalized, name, locale, emailVerifiedAt }
    const id = await insertUser(tx, account, ['user'])
    const user = id === undefined ? undefined : await lockUser(tx, id)
    if (!user) throw invalidToken() // somebody else has the address by now
    await tx.delete(registrations).where(ofAddress)
    const details = { provider: provider.key }
    await record(tx, asUser(actor, user), 'auth.register', { userId: user.id, details })
    const linked = await addProviderAccount(tx, user.id, provider, identity)
    return enter(tx, services, actor, input, { user, account: linked })
  })
}

/** Confirms the address of a user with a provider account of theirs. */
async function confirmUser(
  tx: Db,
  services: Services,
  actor: Actor,
  input: ProviderSignIn & { token: string },
  userId: string
) {
  const { token, provider, identity } = input
  const user = await lockUser(tx, userId)
  if (!user || !isPresent(user)) throw invalidToken()
  const account = await findProviderAccount(tx, identity)
  const isOwn =
    account?.userId === userId && (await useProviderAccount(tx, account, provider, identity))
  if (!isOwn) throw new ProviderRefusal('other-account')
  const sent = await consumeLinkToken(tx, 'confirm', token)
  // A link that was sent to another address than the current one proves nothing.
  if (normalizeEmail(sent.email ?? '') !== user.emailNormalized) throw invalidToken()
  await writeUser(tx, userId, { emailVerifiedAt: sql`now()` })
  await record(tx, asUser(actor, user), 'user.email-verify', { userId })
  await bumpUsers(tx, userId)
  // Planning a deletion invalidates the links of before: this one is of a user who restores.
  return enter(tx, services, actor, { ...input, restore: true }, { user, account })
}

/** The registration or the user of the token, after counting a try. */
async function findWaiting(tx: Db, token: string) {
  const grant = await countTry(tx, 'confirm', token)
  if (grant?.userId) return { userId: grant.userId }
  if (!grant?.registrationId) return undefined
  const [found] = await tx
    .select()
    .from(registrations)
    .where(eq(registrations.id, grant.registrationId))
  return { registration: found }
}
