import type { LogoutClaims } from '../domain/providers/client.ts'
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

export type LogoutVerifier = (token: string) => Promise<LogoutClaims>

/**
 * Verifies logout tokens of one provider (OpenID Connect Back-Channel Logout 1.0, 2.6). `sub` is
 * required here: the portal knows no sessions of providers. The type in the header is not, because
 * it came later than the providers: an ID token has no event, and a nonce.
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
    const { payload, protectedHeader } = await jose.jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms,
      maxTokenAge: maxAge,
      clockTolerance: 30,
      requiredClaims: ['sub', 'jti', 'iat', 'exp', 'events']
    })
    const { sub, jti, iat, events, nonce } = payload
    const isLogout = isObject(events) && Object.hasOwn(events, event) && isObject(events[event])
    const areTexts = typeof sub === 'string' && typeof jti === 'string' && jti !== ''
    const hasType = types.test(protectedHeader.typ ?? 'JWT')
    if (!isLogout || !areTexts || !hasType || nonce !== undefined) {
      throw new ProviderRefusal('logout-token')
    }
    return { issuer, subject: sub, jti, issuedAt: iat ?? 0 }
  }
}

const types = /^(application\/)?(logout\+)?jwt$/i
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
