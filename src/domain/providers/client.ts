import type { Intent } from '../../../db/schema/provider-accounts.ts'
import type { ProviderReason } from '../../problems/provider-reasons.ts'
import { randomText } from '../crypto.ts'
import type { Sealing } from '../sealing.ts'
import type { Provider } from './provider.ts'

/** Values of one attempt that only this browser and the portal know. */
export interface FlowSecrets {
  state: string
  nonce: string
  /** Code verifier of PKCE (RFC 7636). */
  verifier: string
}

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

/** Seconds for which a flow is valid. Also the lifetime of its cookie. */
export const flowSeconds = 600
/** Maximum number of flows of one browser, one for each tab. */
export const mostFlows = 3
const nameLength = 8

/**
 * A way through a provider that has begun in this browser. It is in a sealed cookie and nowhere
 * else: anybody can begin any number.
 */
export interface Flow extends FlowSecrets {
  provider: string
  intent: Intent
  returnTo: string
  errorTo: string
  /** Milliseconds since 1970. */
  expiresAt: number
  /** For `link` and `reauthenticate`: who began it, in which session. */
  owner?: { userId: string; sessionId: string }
  /** For `sign-in`: whether to restore an account whose deletion is planned. */
  restore?: boolean
  /** For `confirm`: the token of the link. */
  token?: string
}

export const newSecrets = (): FlowSecrets => ({
  state: randomText(),
  nonce: randomText(),
  verifier: randomText()
})

/** The end of the name of its cookie, so that several tabs do not overwrite each other's. */
export const flowName = (state: string) => state.slice(0, nameLength)
export const flowNameForm = /^[A-Za-z0-9_-]{8}$/

/** The content of the cookie, which opens under this name only. */
export const sealFlow = (sealing: Sealing, flow: Flow): string =>
  sealing
    .seal('flow', flowName(flow.state), Buffer.from(JSON.stringify(flow)))
    .toString('base64url')

/** Undefined for a cookie that was changed, or is of another name. It may have expired. */
export function openFlow(sealing: Sealing, name: string, content: string): Flow | undefined {
  const sealed = Buffer.from(content, 'base64url')
  const plain = sealing.open('flow', name, sealed)
  return plain && (JSON.parse(plain.toString()) as Flow)
}
