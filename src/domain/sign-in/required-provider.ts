import type { UserRow } from '../../../db/schema/users.ts'
import { providerRequired } from '../providers/errors.ts'
import { findRequiredOf } from '../providers/provider.ts'
import type { Provider } from '../providers/provider.ts'
import type { SessionProvider } from './session-provider.ts'

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
    throw providerRequired(user.id)
  }
}
