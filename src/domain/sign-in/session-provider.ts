import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { providerAccounts } from '../../../db/schema/provider-accounts.ts'
import type { Provider } from '../providers/provider.ts'

/** What a sign-in with a provider account means for its session. */
export interface SessionProvider {
  accountId: string
  /** Key of the provider. */
  key: string
  name: string
  /** Whether the provider speaks for somebody of its domains, where they are required. */
  isOfDomains: boolean
  sessionSeconds: number | undefined
}

export const sessionProvider = (
  { key, name, sessionSeconds }: Provider,
  { id }: { id: string },
  isOfDomains: boolean
): SessionProvider => ({ accountId: id, key, name, isOfDomains, sessionSeconds })

/** What a sign-in began with, unless it was a passkey. */
export const meansOf = (provided: SessionProvider | undefined) =>
  provided
    ? { method: 'provider' as const, provider: provided.name }
    : { method: 'password' as const }

/**
 * The provider account with which a sign-in began that waits for its second step. Undefined for one
 * that began with the password, when the account was unlinked meanwhile, and when its provider is
 * no longer configured.
 */
export async function providerOfSignIn(
  tx: Db,
  providers: readonly Provider[],
  begun: { providerAccountId: string | null } | undefined
) {
  if (!begun?.providerAccountId) return undefined
  const [account] = await tx
    .select({ id: providerAccounts.id, provider: providerAccounts.provider })
    .from(providerAccounts)
    .where(eq(providerAccounts.id, begun.providerAccountId))
  const provider = providers.find(({ key }) => key === account?.provider)
  // Otherwise the sign-in would not have come to its second step.
  return account && provider && sessionProvider(provider, account, true)
}
