import type { ProviderReason } from '../../problems/provider-reasons.ts'
import type { FlowSecrets } from './flow-cookie.ts'
import type { Provider } from './provider.ts'

/** Parameters of the callback, each at most once. */
export interface CallbackParams {
  code?: string | undefined
  state?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}

/** Claims of a verified ID token, or their substitute. Their values are not checked yet. */
export type Claims = Record<string, unknown>

export interface AuthorizationOptions {
  /** The user must authenticate, even with a session at the provider. */
  again: boolean
  /** The user chooses the account, where the provider can ask. */
  chooses: boolean
  /** For the sign-in form of the provider. */
  email?: string | undefined
}

/** A verified logout token. */
export interface LogoutClaims {
  issuer: string
  subject: string
  /** Accepted once. */
  jti: string
  /** In seconds since 1970, by the clock of the provider. */
  issuedAt: number
}

/**
 * Requests to providers, implemented in src/outbound. Throws `provider-unavailable` when
 * there is no usable answer, and ProviderRefusal for one that is not valid.
 */
export interface ProviderClient {
  /** The URL to which the browser is led. */
  authorizationUrl(
    provider: Provider,
    secrets: FlowSecrets,
    options: AuthorizationOptions
  ): Promise<string>
  /**
   * Exchanges the code, and verifies what the provider says. Throws `overloaded` when too many wait
   * for this provider.
   * @param begin called when it is the turn of this exchange; what it throws is thrown
   */
  identify(
    provider: Provider,
    params: CallbackParams,
    secrets: FlowSecrets,
    begin: () => Promise<void>
  ): Promise<Claims>
  verifyLogout(provider: Provider, token: string): Promise<LogoutClaims>
  /**
   * For operators: reads what the provider publishes about itself, and lets it refuse a code, which
   * shows whether it accepts the client.
   */
  examine(provider: Provider): Promise<Examination>
}

export interface Examination {
  authorizationEndpoint: string
  faults: ProviderReason[]
}

/** A response that is not accepted. Its reason is recorded, and has no text of the provider. */
export class ProviderRefusal extends Error {
  override name = 'ProviderRefusal'
  readonly reason: ProviderReason

  constructor(reason: ProviderReason) {
    super(reason)
    this.reason = reason
  }
}
