import { and, eq } from 'drizzle-orm'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { revokeAllKeys } from '../machines/revocation.ts'
import { findProviderAccount } from '../providers/accounts.ts'
import { findRequired } from '../providers/provider.ts'
import { isUnexpired, revoke } from '../sessions/sessions.ts'
import { revokeMappedRoles } from '../sign-in/mapped-roles.ts'
import { cancelDeletion } from '../sign-in/restoration.ts'
import type { Returned } from '../sign-in/provider-return.ts'
import type { Services } from '../sign-in/services.ts'
import { deleteLinkTokens } from '../tokens/tokens.ts'
import { lockUser } from '../users/lock.ts'
import { isPresent, plannedDeletion } from '../users/presence.ts'
import { nextCredentials, writeUser } from '../users/users.ts'
import { confirmByRecovery } from './recovery.ts'

/**
 * Gives an account to the owner of its address, whom the provider has identified with which users
 * of the domain must sign in. Somebody else may have registered with the address before, and the
 * owner has no other way in. As after a recovery, this is the first proof of the mailbox, and
 * nothing that was added before outlives it. Without effect for a confirmed address.
 */
export async function proveByRequiredProvider(
  { db, mail, providers }: Pick<Services, 'db' | 'mail' | 'providers'>,
  actor: Actor,
  { provider, identity }: Pick<Returned, 'provider' | 'identity'>
) {
  const { address } = identity
  if (address?.trust !== 'authoritative') return
  const { emailNormalized } = address
  if (findRequired(providers, emailNormalized)?.key !== provider.key) return
  await transaction(db, async (tx) => {
    const [found] = await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(users.emailNormalized, emailNormalized))
    const user = found && (await lockUser(tx, found.id))
    if (user?.emailNormalized !== emailNormalized || user.emailVerifiedAt) return
    const known = await findProviderAccount(tx, identity)
    if (!isPresent(user) || (known && known.userId !== user.id)) return
    const by = asUser(actor, user)
    const { id: userId } = user
    const confirmed = { ...user, emailVerifiedAt: new Date() }
    if (plannedDeletion(user)) await cancelDeletion(tx, mail, by, confirmed)
    const { removed, unlinked } = await confirmByRecovery(tx, user)
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
    await revokeAllKeys(tx, by)
    await bumpUsers(tx, userId)
  })
}
