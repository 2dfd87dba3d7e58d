import type { ProviderReason } from '../../problems/provider-reasons.ts'
import { providerWords } from '../../problems/provider-reasons.ts'
import { DomainError } from '../errors.ts'
import type { ProviderClient } from './client.ts'
import type { Provider } from './provider.ts'

interface Fault {
  reason: ProviderReason
  /** After "The provider ". */
  words: string
}

/**
 * Finds what would keep users from signing in with a provider. Without an address to which they are
 * led, it has said nothing that can be used.
 */
export async function examineProvider(
  { providerClient }: { providerClient: Pick<ProviderClient, 'examine'> },
  provider: Provider
): Promise<{ authorizationEndpoint?: string; faults: Fault[] }> {
  try {
    const { authorizationEndpoint, faults } = await providerClient.examine(provider)
    const found = faults.map((reason) => ({ reason, words: providerWords(reason) }))
    return { authorizationEndpoint, faults: found }
  } catch (error) {
    const { reason, issuer } = (error instanceof DomainError && error.details) || {}
    if (reason === undefined) throw error
    const both = issuer === undefined ? '' : `: ${issuer} instead of ${provider.issuer}`
    return { faults: [{ reason, words: `${providerWords(reason)}${both}` }] }
  }
}
