import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { providerAccounts } from '../../../db/schema/provider-accounts.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import type { StoredLink } from '../../../db/schema/sessions.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import { readTime } from '../../../db/time.ts'
import { requireOtherAdmin } from '../access/last-admin.ts'
import { record } from '../activity/record.ts'
import { job } from '../actor.ts'
import type { UserActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { createRevert } from '../mail/links.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import type { Recipient } from '../outbox/enqueue.ts'
import {
  addProviderAccount,
  findProviderAccount,
  hasAccountOf,
  wasUnlinked
} from '../providers/accounts.ts'
import { isStoredOfDomains } from '../providers/identity.ts'
import type { Address, Identity } from '../providers/identity.ts'
import { findRequired, findRequiredOf } from '../providers/provider.ts'
import type { Provider } from '../providers/provider.ts'
import { normalizeEmail } from '../users/emails.ts'
import { plannedDeletion, writeUser } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'
import type { Context } from './context.ts'

/** The provider account with which a session began. */
export interface SessionProvider {
  accountId: string
  /** Key of the provider. */
  key: string
  name: string
  /** Whether the provider speaks for somebody of its domains, where they are required. */
  isOfDomains: boolean
  sessionSeconds: number | undefined
  /** The account to link under this id when the session begins. Undefined: it is linked already. */
  link: StoredLink | undefined
}

export const sessionProvider = (
  { key, name, sessionSeconds }: Provider,
  { id, link }: { id: string; link?: StoredLink },
  isOfDomains: boolean
): SessionProvider => ({ accountId: id, key, name, isOfDomains, sessionSeconds, link })

/** The method with which a sign-in began, unless it was a passkey. */
export const meansOf = (provided: SessionProvider | undefined) =>
  provided
    ? { method: 'provider' as const, provider: provided.name }
    : { method: 'password' as const }

/**
 * The provider account with which a sign-in began that waits for its second step. Undefined for one
 * that began with the password, when the account was unlinked or cannot be linked any more, and
 * when its provider is no longer configured. Call it with the user locked.
 */
export async function providerOfSignIn(
  tx: Db,
  providers: readonly Provider[],
  user: LockedUser,
  begun: { providerAccountId: string | null; link: StoredLink | null } | undefined
) {
  if (!begun?.providerAccountId) return undefined
  const { providerAccountId: id, link } = begun
  if (link) {
    const provider = providers.find(({ key }) => key === link.provider)
    const isFree = (await findProviderAccount(tx, link)) === undefined
    if (!provider || !isFree || !(await mayLink(tx, providers, user, link))) return undefined
    await applyMappedRoles(tx, user, provider, link)
    return sessionProvider(provider, { id, link }, true)
  }
  const [account] = await tx
    .select({
      id: providerAccounts.id,
      provider: providerAccounts.provider,
      email: providerAccounts.email,
      speaksForEmail: providerAccounts.speaksForEmail
    })
    .from(providerAccounts)
    .where(eq(providerAccounts.id, id))
  const provider = providers.find(({ key }) => key === account?.provider)
  return (
    account && provider && sessionProvider(provider, account, isStoredOfDomains(providers, account))
  )
}

/**
 * Refuses what a user has proved who must sign in with a provider, unless it was there, and with an
 * account of its domains: anybody may have another one. Throws `provider-required`.
 * @param provided where; undefined for a password, code or passkey
 */
export function requireProvided(
  providers: readonly Provider[] | undefined,
  user: Pick<UserRow, 'emailNormalized' | 'emailVerifiedAt'> & { id?: string },
  provided?: Pick<SessionProvider, 'key' | 'isOfDomains'>
) {
  const required = findRequiredOf(providers, user)
  if (required && !(provided?.key === required.key && provided.isOfDomains)) {
    throw new DomainError('provider-required', { details: { userId: user.id } })
  }
}

// A provider account that is new here, of a provider that speaks for the mailbox of a user, is
// linked to that user with their first session.

/** The account to link when the sign-in is complete. */
export const linkOf = (
  { key }: Provider,
  { issuer, subject, roles }: Identity,
  { email }: Address
): StoredLink => ({ provider: key, issuer, subject, email, ...(roles && { roles }) })

/**
 * Whether the address is enough to link the account. An address may be given to another person,
 * who must not get the account of the first: another account of the issuer must be unlinked before,
 * an unlinked account is linked again by its user only, and a planned deletion goes on. Where users
 * must sign in with the provider, it decides who has the address, and an unlinked account returns.
 */
export async function mayLink(
  tx: Db,
  providers: readonly Provider[],
  user: LockedUser,
  link: StoredLink
): Promise<boolean> {
  const isTheirs = user.emailVerifiedAt && normalizeEmail(link.email) === user.emailNormalized
  if (!isTheirs || plannedDeletion(user)) return false
  if (await hasAccountOf(tx, user.id, link.issuer)) return false
  const required = findRequired(providers, user.emailNormalized)
  return required?.key === link.provider || !(await wasUnlinked(tx, user.id, link))
}

/**
 * Links the account, and reports it to the user. A user without a second factor gets a link that
 * removes it again. Call it with the user locked.
 */
export async function linkByAddress(
  tx: Db,
  { mail, providers }: Pick<Context, 'mail' | 'providers'>,
  actor: UserActor,
  { user, id, link }: { user: LinkedUser; id: string; link: StoredLink }
) {
  const since = await readTime(tx)
  const { provider: key, email, ...account } = link
  const address = { email, trust: 'authoritative' as const } // else it would not be linked by it
  await addProviderAccount(tx, user.id, { key }, { ...account, address }, id)
  await record(tx, actor, 'user.provider-link', { userId: user.id, details: { provider: key } })
  const revert =
    mail && !user.secondFactor
      ? await createRevert(tx, { purpose: 'factor-revert', user, since })
      : undefined
  const provider = providers.find((each) => each.key === key)?.name ?? key
  await notify(tx, mail, user, {
    kind: 'provider-linked',
    provider,
    ...factsOf(actor),
    ...revert
  })
}

/** Whether it is linked to somebody else by now, or the user has too many. */
export const cannotLink = (error: unknown) =>
  error instanceof DomainError &&
  (error.code === 'provider-account-taken' || error.code === 'too-many-providers')

type LinkedUser = Recipient & { emailNormalized: string; secondFactor: boolean }

/** The reason in the records of these changes, whose author is the portal. */
const reason = 'provider'

/**
 * Grants and revokes the roles that the configuration maps, as the provider says at this sign-in.
 * Roles that it does not map stay, and so does `admin` of the last administrator. Call it with the
 * user locked.
 */
export async function applyMappedRoles(
  tx: Db,
  user: LockedUser,
  provider: Provider,
  { roles: wanted }: Pick<Identity, 'roles'>
) {
  if (!provider.roles || !wanted) return
  const mapped = new Set(Object.values(provider.roles.map))
  mapped.delete('user') // everybody has it
  const known = await tx
    .select({ id: roles.id, key: roles.key })
    .from(roles)
    // A role of scopes is never held everywhere.
    .where(and(inArray(roles.key, [...mapped]), eq(roles.scoped, false)))
    .orderBy(asc(roles.id))
    .for('share')
  let hasChanged = false
  for (const { id: roleId, key: role } of known) {
    const [has, should] = [user.roles.includes(role), wanted.includes(role)]
    if (has === should) continue
    if (should) {
      await tx.insert(userRoles).values({ userId: user.id, roleId }).onConflictDoNothing()
    } else {
      if (role === 'admin' && (await isLastAdmin(tx, user))) continue
      await tx
        .delete(userRoles)
        .where(and(eq(userRoles.userId, user.id), eq(userRoles.roleId, roleId)))
    }
    hasChanged = true
    const action = should ? 'user.role-grant' : 'user.role-revoke'
    await record(tx, job, action, { userId: user.id, reason, details: { role } })
  }
  if (!hasChanged) return
  await writeUser(tx, user.id)
  await bumpUsers(tx, user.id)
}

/**
 * Revokes the roles that providers grant whose accounts were unlinked: nobody there could revoke
 * them any more. Another account at the same provider grants them again at its next sign-in. Call
 * it with the user locked.
 * @param keys of the providers
 */
export async function revokeMappedRoles(
  tx: Db,
  user: LockedUser,
  providers: readonly Provider[],
  keys: readonly string[]
) {
  for (const provider of providers) {
    if (keys.includes(provider.key)) await applyMappedRoles(tx, user, provider, { roles: [] })
  }
}

async function isLastAdmin(tx: Db, user: LockedUser) {
  try {
    await requireOtherAdmin(tx, user)
    return false
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const details = { role: 'admin' }
    const fields = { outcome: 'failure', reason: error.code, userId: user.id, details } as const
    await record(tx, job, 'user.role-revoke', fields)
    return true
  }
}
