import type { Db } from '../../../db/engine.ts'
import type { StoredLink } from '../../../db/schema/pending-logins.ts'
import { readTime } from '../../../db/time.ts'
import { record } from '../activity/record.ts'
import type { UserActor } from '../actor.ts'
import { DomainError } from '../domain-error.ts'
import { factsOf, notify } from '../mail/notices.ts'
import type { Recipient } from '../mail/notices.ts'
import { createRevert } from '../mail/revert-links.ts'
import { addProviderAccount, hasAccountOf, wasUnlinked } from '../providers/accounts.ts'
import type { Address, Identity } from '../providers/identity.ts'
import { findRequired } from '../providers/provider.ts'
import type { Provider } from '../providers/provider.ts'
import type { LockedUser } from '../users/lock.ts'
import { normalizeEmail } from '../users/emails.ts'
import { plannedDeletion } from '../users/presence.ts'
import type { Services } from './services.ts'

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
  { mail, providers }: Pick<Services, 'mail' | 'providers'>,
  actor: UserActor,
  { user, id, link }: { user: LinkedUser; id: string; link: StoredLink }
) {
  const since = await readTime(tx)
  const { provider: key, email, ...account } = link
  await addProviderAccount(tx, user.id, { key }, { ...account, address: { email } }, id)
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
