import { and, eq, ne } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { providerAccounts } from '../../../db/schema/provider-accounts.ts'
import { pendingLogins, sessions } from '../../../db/schema/sessions.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { Author, SignedInActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { requireRecentAuthentication } from '../factors/recent-authentication.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import { addProviderAccount, findProviderAccount, rememberUnlinked } from '../providers/accounts.ts'
import { isOfDomains } from '../providers/identity.ts'
import { findRequiredOf, nameOf } from '../providers/provider.ts'
import { revoke } from '../sessions/sessions.ts'
import type { Context } from '../sign-in/context.ts'
import { changeOwnUser } from '../sign-in/own-account.ts'
import type { Returned } from '../sign-in/provider-return.ts'
import { revokeMappedRoles } from '../sign-in/session-provider.ts'
import { giveBack } from '../throttling/throttles.ts'
import type { LockedUser } from '../users/users.ts'
import { lockToAddFactor, reportFactor, requireSignInMethod } from './factor-changes.ts'

/**
 * Links an account at a provider to the actor. Its address does not matter, unless the actor must
 * sign in with this provider. Without effect when it is linked already. Throws
 * `reauthentication-required`, `email-unverified`, `too-many-providers`, `provider-account-taken`
 * and `managed-by-provider`.
 */
export async function linkProvider(
  context: Context,
  actor: SignedInActor,
  { provider, identity, charge }: Returned
) {
  await transaction(context.db, async (tx) => {
    const { user, at } = await lockToAddFactor(tx, context, actor)
    await giveBack(tx, charge, 'success')
    const existing = await findProviderAccount(tx, identity)
    if (existing?.userId === user.id) return
    if (existing) throw new DomainError('provider-account-taken')
    const required = findRequiredOf(context.providers, user)
    if (required?.key === provider.key && !isOfDomains(provider, identity)) {
      throw new DomainError('managed-by-provider')
    }
    await addProviderAccount(tx, user.id, provider, identity)
    await record(tx, actor, 'user.provider-link', {
      userId: user.id,
      details: { provider: provider.key }
    })
    const notice = { kind: 'provider-linked', provider: provider.name } as const
    await reportFactor(tx, context, actor, { user, at, notice })
  })
}

/**
 * Unlinks a provider account of the actor, and ends the other sessions that began with it. Throws
 * `reauthentication-required`, `provider-account-not-found`, `last-sign-in-method`, and
 * `managed-by-provider` for the provider with which the actor must sign in.
 */
export async function unlinkOwnProvider(
  context: Context,
  actor: SignedInActor,
  { id }: { id: string }
) {
  await changeOwnUser(context, actor, async (tx, user) => {
    await requireRecentAuthentication(tx, actor, user)
    const removed = await unlink(tx, context, actor, { user, id, except: actor.sessionId })
    const required = findRequiredOf(context.providers, user)
    if (required && required.key === removed.provider) throw new DomainError('managed-by-provider')
    await requireSignInMethod(tx, context, user.id)
  })
}

/**
 * Unlinks a provider account of a locked user, ends what began with it, revokes the roles that its
 * provider grants, and reports it. Throws `provider-account-not-found`.
 * @param input.except the session that stays
 */
export async function unlink(
  tx: Db,
  { mail, providers }: Pick<Context, 'mail' | 'providers'>,
  by: Author,
  { user, id, except }: { user: LockedUser; id: string; except?: string }
) {
  const [removed] = await tx
    .delete(providerAccounts)
    .where(and(eq(providerAccounts.id, id), eq(providerAccounts.userId, user.id)))
    .returning({
      provider: providerAccounts.provider,
      issuer: providerAccounts.issuer,
      subject: providerAccounts.subject
    })
  if (!removed) throw new DomainError('provider-account-not-found')
  await rememberUnlinked(tx, user.id, [removed])
  await tx.delete(pendingLogins).where(eq(pendingLogins.providerAccountId, id))
  const began = and(
    eq(sessions.providerAccountId, id),
    except === undefined ? undefined : ne(sessions.id, except)
  )
  const { length: revoked } = await revoke(tx, 'provider', began)
  const { provider } = removed
  await record(tx, by, 'user.provider-unlink', { userId: user.id, details: { provider, revoked } })
  await revokeMappedRoles(tx, user, providers, [provider])
  const notice = { kind: 'provider-unlinked', provider: nameOf(providers, provider) } as const
  await notify(tx, mail, user, { ...notice, ...factsOf(by) })
  await bumpUsers(tx, user.id)
  return removed
}
