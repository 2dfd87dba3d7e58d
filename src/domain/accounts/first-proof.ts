import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { revokeAllKeys } from '../machines/revocation.ts'
import { factsOf, notify } from '../mail/notices.ts'
import { findProviderAccount, useProviderAccount } from '../providers/accounts.ts'
import { findRequired } from '../providers/provider.ts'
import type { Provider } from '../providers/provider.ts'
import { isUnexpired, revoke } from '../sessions/sessions.ts'
import { revokeMappedRoles } from '../sign-in/mapped-roles.ts'
import { cancelDeletion } from '../sign-in/restoration.ts'
import type { Returned } from '../sign-in/provider-return.ts'
import type { Services } from '../sign-in/services.ts'
import { deleteLinkTokens } from '../tokens/tokens.ts'
import { lockUser } from '../users/lock.ts'
import type { LockedUser } from '../users/lock.ts'
import { isPresent, plannedDeletion } from '../users/presence.ts'
import { nextCredentials, writeUser } from '../users/users.ts'
import { nameAll } from './password-links.ts'
import { confirmByRecovery } from './recovery.ts'

/**
 * Confirms the address of an account for its owner, whom the provider has identified with which
 * users of the domain must sign in. If that provider account is linked to it, nothing else changes,
 * and the sign-in asks for the second factor. Otherwise somebody else may have registered with the
 * address before, and the owner has no other way in: as after a recovery, this is the first proof
 * of the mailbox, and nothing that was added before outlives it. Without effect for a confirmed
 * address. Throws ProviderRefusal like useProviderAccount.
 */
export async function proveByRequiredProvider(
  services: Pick<Services, 'db' | 'mail' | 'providers'>,
  actor: Actor,
  { provider, identity }: Pick<Returned, 'provider' | 'identity'>
) {
  const { address } = identity
  if (address?.trust !== 'authoritative') return
  const { emailNormalized } = address
  if (findRequired(services.providers, emailNormalized)?.key !== provider.key) return
  await transaction(services.db, async (tx) => {
    const [found] = await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(users.emailNormalized, emailNormalized))
    const user = found && (await lockUser(tx, found.id))
    if (user?.emailNormalized !== emailNormalized || user.emailVerifiedAt) return
    const known = await findProviderAccount(tx, identity)
    if (!isPresent(user) || (known && known.userId !== user.id)) return
    if (known) {
      await useProviderAccount(tx, known, provider, identity)
      await writeUser(tx, user.id, { emailVerifiedAt: sql`now()` })
      const details = { provider: provider.key }
      await record(tx, asUser(actor, user), 'user.email-verify', { userId: user.id, details })
    } else {
      await takeFromStranger(tx, services, actor, { provider, user })
    }
    await bumpUsers(tx, user.id)
  })
}

/** The mail says what is gone: the owner may have added some of it, and never confirmed. */
async function takeFromStranger(
  tx: Db,
  { mail, providers }: Pick<Services, 'mail' | 'providers'>,
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
