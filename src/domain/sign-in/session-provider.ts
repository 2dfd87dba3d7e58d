import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import type { StoredLink } from '../../../db/schema/pending-logins.ts'
import { providerAccounts } from '../../../db/schema/provider-accounts.ts'
import { findProviderAccount } from '../providers/accounts.ts'
import { isStoredOfDomains } from '../providers/identity.ts'
import type { Provider } from '../providers/provider.ts'
import type { LockedUser } from '../users/lock.ts'
import { mayLink } from './automatic-links.ts'
import { applyMappedRoles } from './mapped-roles.ts'

/** What a sign-in with a provider account means for its session. */
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
      email: providerAccounts.email
    })
    .from(providerAccounts)
    .where(eq(providerAccounts.id, id))
  const provider = providers.find(({ key }) => key === account?.provider)
  return (
    account && provider && sessionProvider(provider, account, isStoredOfDomains(providers, account))
  )
}
