import type { Configuration } from 'openid-client'
import { createBulkhead } from '../domain/bulkhead.ts'
import type { Bulkhead } from '../domain/bulkhead.ts'
import { ProviderRefusal } from '../domain/providers/client.ts'
import type { ProviderClient } from '../domain/providers/client.ts'
import { providerUnavailable } from '../domain/providers/errors.ts'
import type { Provider } from '../domain/providers/provider.ts'
import { examine } from './examination.ts'
import { createFetch, OutboundError } from './fetch.ts'
import type { Fetch } from './fetch.ts'
import { kept } from './kept.ts'
import { createLogoutVerifier } from './logout-tokens.ts'
import type { LogoutVerifier } from './logout-tokens.ts'
import { authorizationUrl, discover, identifyByApi, identifyByToken } from './openid.ts'
import { issuerIn, oauthReason, reasonOf } from './reasons.ts'

interface Settings {
  development: boolean
  /** The callback of a provider. There is one for each, so that none answers for another. */
  redirectUriOf(key: string): string
}

/** What is kept of one provider: its own connections, and what it publishes about itself. */
interface Partner {
  fetch: Fetch
  /** Those of codes wait here instead of in the fetch: a code that was sent cannot wait. */
  exchanges: Bulkhead
  config(): Promise<Configuration>
  verifier(config: Configuration): Promise<LogoutVerifier>
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
    examine: (provider) =>
      translated(async () => {
        const { fetch } = partnerOf(provider)
        return examine(await configOf(provider), provider, redirectUriOf(provider.key), fetch)
      }, 'discovery')
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
      throw providerUnavailable(reason, issuerIn(error))
    }
    throw new ProviderRefusal(reason)
  }
}

/** The library wraps errors of the fetch. */
function isOutbound(error: unknown): boolean {
  if (error instanceof OutboundError) return true
  return error instanceof Error && error.cause !== undefined && isOutbound(error.cause)
}
