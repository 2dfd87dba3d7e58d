import type { Claims } from '../domain/providers/client.ts'
import { ProviderRefusal } from '../domain/providers/client.ts'
import type { Fetch } from './fetch.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'
/** Seconds by which the clock of the provider may differ, included in the age. */
const maxAge = 120
/** All that a public key can verify. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
]

export type LogoutVerifier = (token: string) => Promise<Claims>

/**
 * Verifies logout tokens of one provider (OpenID Connect Back-Channel Logout 1.0, 2.6). `sub` and
 * `jti` are required here: the portal knows no sessions of providers.
 */
export async function createLogoutVerifier(
  { issuer, jwksUri, clientId }: { issuer: string; jwksUri: string; clientId: string },
  fetch: Fetch
): Promise<LogoutVerifier> {
  const jose = await import('jose')
  const keys = jose.createRemoteJWKSet(new URL(jwksUri), {
    [jose.customFetch]: (url, { method, headers }) => fetch(url, { method, headers })
  })
  return async (token) => {
    const { payload } = await jose.jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      typ: 'logout+jwt',
      algorithms,
      maxTokenAge: maxAge,
      clockTolerance: 30,
      requiredClaims: ['sub', 'jti', 'iat', 'events']
    })
    const { events, nonce } = payload
    const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, event)
    if (!isLogout || nonce !== undefined) throw new ProviderRefusal('logout-token')
    return payload
  }
}
