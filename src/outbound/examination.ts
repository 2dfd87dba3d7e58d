import type { Configuration } from 'openid-client'
import type { Examination } from '../domain/providers/client.ts'
import type { Provider } from '../domain/providers/provider.ts'
import type { ProviderReason } from '../problems/provider-reasons.ts'
import type { Fetch } from './fetch.ts'
import { reasonOf } from './reasons.ts'

/** How a provider refuses the client, and not the code. */
const ofClient: ProviderReason[] = ['invalid-client', 'unauthorized-client', 'status-401']

/** Finds what would refuse every sign-in. Throws only what the library does not foresee. */
export async function examine(
  config: Configuration,
  provider: Provider,
  redirectUri: string,
  fetch: Fetch
): Promise<Examination> {
  const server = config.serverMetadata()
  const faults: ProviderReason[] = []
  if (server.authorization_endpoint === undefined || server.token_endpoint === undefined) {
    faults.push('metadata')
  }
  const methods = server.token_endpoint_auth_methods_supported
  if (methods && !methods.some((each) => /^client_secret_(basic|post)$/.test(each))) {
    faults.push('no-secret')
  }
  const algorithms = server.id_token_signing_alg_values_supported
  if (Array.isArray(algorithms) && algorithms.every((each) => /^(HS|none)/.test(String(each)))) {
    faults.push('symmetric-only')
  }
  const keys = provider.kind === 'github' ? undefined : await keyFault(server.jwks_uri, fetch)
  if (keys) faults.push(keys)
  const refusal = await refusalOf(config, redirectUri)
  if (refusal && ofClient.includes(refusal)) faults.push(refusal)
  return { authorizationEndpoint: server.authorization_endpoint ?? '', faults }
}

async function keyFault(
  uri: string | undefined,
  fetch: Fetch
): Promise<ProviderReason | undefined> {
  if (uri === undefined) return 'keys'
  try {
    const response = await fetch(uri)
    if (!response.ok) return `status-${response.status}`
    const { keys } = (await response.json()) as { keys?: unknown }
    return Array.isArray(keys) && keys.length > 0 ? undefined : 'keys'
  } catch (error) {
    return reasonOf(error, 'keys')
  }
}

/** A code that cannot be right is refused after the client has been accepted (RFC 6749, 5.2). */
async function refusalOf(config: Configuration, redirectUri: string) {
  const { authorizationCodeGrant } = await import('openid-client')
  const url = new URL(redirectUri)
  url.searchParams.set('code', 'portal-provider-check')
  const { issuer } = config.serverMetadata()
  url.searchParams.set('iss', issuer)
  try {
    await authorizationCodeGrant(config, url, { pkceCodeVerifier: 'x'.repeat(43) })
  } catch (error) {
    return reasonOf(error)
  }
}
