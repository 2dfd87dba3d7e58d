import type { Configuration } from 'openid-client'
import { createBulkhead } from '../domain/bulkhead.ts'
import type { Bulkhead } from '../domain/bulkhead.ts'
import { DomainError } from '../domain/errors.ts'
import { ProviderRefusal } from '../domain/providers/client.ts'
import type { Examination, LogoutClaims, ProviderClient } from '../domain/providers/client.ts'
import type { Provider } from '../domain/providers/provider.ts'
import type { ProviderReason } from '../problems/provider-reasons.ts'
import { createFetch, OutboundError } from './fetch.ts'
import type { Fetch } from './fetch.ts'
import { authorizationUrl, discover, identifyByApi, identifyByToken } from './openid.ts'
import { issuerIn, oauthReason, reasonOf } from './reasons.ts'

interface Settings {
  development: boolean
  /** The callback of a provider. There is one for each, so that none answers for another. */
  redirectUriOf(key: string): string
}

/** The client keeps for each provider its own connections, and what it publishes about itself. */
interface Partner {
  fetch: Fetch
  /** Requests with codes wait here instead of in the fetch: a code that was sent cannot wait. */
  exchanges: Bulkhead
  config(): Promise<Configuration>
  verifier(config: Configuration): Promise<LogoutVerifier>
  /** Under way. */
  examination?: Promise<Examination>
}

/** Fewer than the calls that a fetch allows at once. In milliseconds, two calls that are slow. */
const exchanges = { running: 15, waiting: 100, maxWait: 10_000 }

export function createProviderClient({ development, redirectUriOf }: Settings): ProviderClient {
  const partners = new Map<string, Partner>()
  const partnerOf = (provider: Provider) => {
    const known = partners.get(provider.key) ?? createPartner(provider, development)
    partners.set(provider.key, known)
    return known
  }
  const configOf = (provider: Provider) => partnerOf(provider).config()

  return {
    authorizationUrl: (provider, secrets, options) =>
      translated(async () => {
        const redirectUri = redirectUriOf(provider.key)
        const config = await configOf(provider)
        return authorizationUrl(config, provider, { ...secrets, redirectUri }, options)
      }, 'discovery'),
    identify: (provider, params, secrets, begin) =>
      partnerOf(provider).exchanges.run(async () => {
        await begin()
        return translated(async () => {
          if (params.error !== undefined && params.state === secrets.state) {
            throw new ProviderRefusal(oauthReason(params.error, 'user') ?? 'error')
          }
          const identify = provider.kind === 'github' ? identifyByApi : identifyByToken
          const redirectUri = redirectUriOf(provider.key)
          return identify(await configOf(provider), provider, params, { ...secrets, redirectUri })
        })
      }),
    verifyLogout: (provider, token) =>
      translated(async () => {
        const { config, verifier } = partnerOf(provider)
        const verify = await verifier(await config())
        return verify(token)
      }, 'logout-token'),
    examine(provider) {
      const partner = partnerOf(provider)
      // All who ask meanwhile share the requests, so that nobody can send a provider many of them.
      partner.examination ??= translated(async () => {
        const config = await discover(provider, partner.fetch)
        return examine(config, provider, redirectUriOf(provider.key), partner.fetch)
      }, 'discovery').finally(() => delete partner.examination)
      return partner.examination
    }
  }
}

function createPartner(provider: Provider, development: boolean): Partner {
  const fetch = createFetch({ development })
  const verifiers = new WeakMap<Configuration, Promise<LogoutVerifier>>()
  return {
    fetch,
    exchanges: createBulkhead(exchanges),
    config: kept(() => discover(provider, fetch)),
    verifier(config) {
      const { issuer, jwks_uri: jwksUri } = config.serverMetadata()
      if (jwksUri === undefined) throw new ProviderRefusal('logout-token')
      const verifier =
        verifiers.get(config) ??
        createLogoutVerifier({ issuer, jwksUri, clientId: provider.clientId }, fetch)
      verifiers.set(config, verifier)
      return verifier
    }
  }
}

/**
 * No answer, and a discovery document that is not valid, are temporary for users: the same
 * `provider-unavailable`. Everything else is a response that is not accepted. The words of the
 * library are dropped, because they may contain those of the provider.
 */
async function translated<T>(
  work: () => Promise<T>,
  what: 'discovery' | 'response' | 'logout-token' = 'response'
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderRefusal) throw error
    const reason = reasonOf(error, what === 'discovery' ? 'response' : what)
    if (what === 'discovery' || isOutbound(error)) {
      const details = { reason, issuer: issuerIn(error) }
      throw new DomainError('provider-unavailable', { retryAfter: 10, details })
    }
    throw new ProviderRefusal(reason)
  }
}

/** The library wraps errors of the fetch. */
function isOutbound(error: unknown): boolean {
  if (error instanceof OutboundError) return true
  return error instanceof Error && error.cause !== undefined && isOutbound(error.cause)
}

/** How a provider refuses the client, and not the code. */
const ofClient: ProviderReason[] = ['invalid-client', 'unauthorized-client', 'status-401']

/** Finds what would refuse every sign-in. Throws only what the library does not foresee. */
async function examine(
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

const second = 1000
const times = { fresh: 3600 * second, usable: 86_400 * second, pause: 10 * second }

/**
 * Keeps what was read for an hour. Then it is read again, once for all who wait; if that fails, the
 * old value serves for a day. After a failure nobody reads for ten seconds, so that callers do not
 * wait for a server that does not answer.
 * @param now milliseconds
 */
export function kept<T>(read: () => Promise<T>, now = () => performance.now()) {
  let last: { value: T; at: number } | undefined
  let failure: { error: unknown; at: number } | undefined
  let reading: Promise<T> | undefined

  const isYounger = (than: number) => last !== undefined && now() - last.at < than
  const readOnce = async () => {
    try {
      const value = await read()
      last = { value, at: now() }
      failure = undefined
      return value
    } catch (error) {
      failure = { error, at: now() }
      throw error
    } finally {
      reading = undefined
    }
  }

  return async (): Promise<T> => {
    if (last && isYounger(times.fresh)) return last.value
    try {
      if (failure && now() - failure.at < times.pause) throw failure.error
      return await (reading ??= readOnce())
    } catch (error) {
      if (last && isYounger(times.usable)) return last.value
      throw error
    }
  }
}

const event = 'http://schemas.openid.net/event/backchannel-logout'
/** Seconds by which the clock of the provider may differ, included in the age. */
const maxAge = 120
/** All that a public key can verify. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
]

type LogoutVerifier = (token: string) => Promise<LogoutClaims>

/**
 * Verifies logout tokens of one provider (OpenID Connect Back-Channel Logout 1.0, 2.6). `sub` is
 * required here: the portal knows no sessions of providers. The type in the header is not, because
 * it came later than the providers: an ID token has no event, and a nonce.
 */
async function createLogoutVerifier(
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
