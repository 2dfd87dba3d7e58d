import { ProviderRefusal } from '../domain/providers/client.ts'
import { isReason } from '../problems/provider-reasons.ts'
import type { ProviderReason } from '../problems/provider-reasons.ts'
import { OutboundError } from './fetch.ts'

interface Fault {
  code?: unknown
  message?: string
  cause?: unknown
  /** The code of OAuth in the response. */
  error?: unknown
  /** The code in a response with status 200, which GitHub uses for errors as well. */
  body?: { error?: unknown }
  status?: unknown
  /** The code of jose. */
  claim?: unknown
}

/** An error and what it wraps, outermost first. The limit ends a cycle. */
function* chain(error: unknown) {
  for (let depth = 0; typeof error === 'object' && error !== null && depth < 8; depth++) {
    yield error as Fault
    error = (error as Fault).cause
  }
}

/**
 * Why a call of a provider failed. Only codes are read, and words of the libraries, never those of
 * the provider.
 * @param otherwise for what nobody foresaw
 */
export function reasonOf(error: unknown, otherwise: ProviderReason = 'response'): ProviderReason {
  const faults = [...chain(error)]
  for (const fault of faults) {
    if (fault instanceof OutboundError || fault instanceof ProviderRefusal) return fault.reason
  }
  for (const fault of faults) {
    const oauth = oauthReason(fault.error ?? fault.body?.error)
    if (oauth) return oauth
  }
  const inner = faults.findLast(({ code }) => ofLibraries.test(String(code)))
  return (inner && byCode(inner)) ?? otherwise
}

/** The issuer in a discovery document that names another one: a fact, unlike the words of it. */
export function issuerIn(error: unknown): string | undefined {
  for (const { cause } of chain(error)) {
    const { body } = (cause ?? {}) as { body?: { issuer?: unknown } }
    const issuer = body?.issuer
    if (typeof issuer === 'string' && /^https?:\/\/[!-~]{1,200}$/.test(issuer)) return issuer
  }
}

/** Codes that have another name here, and those of GitHub. */
const otherNames: Record<string, ProviderReason> = {
  access_denied: 'denied',
  incorrect_client_credentials: 'invalid-client',
  bad_verification_code: 'invalid-grant',
  redirect_uri_mismatch: 'invalid-request'
}

/** Codes of the authorization endpoint (RFC 6749, OpenID Connect Core 1.0), as anybody can send. */
const ofUsers = new Set([
  ...['unauthorized_client', 'invalid_request', 'invalid_scope', 'unsupported_response_type'],
  ...['server_error', 'temporarily_unavailable'],
  ...['login_required', 'interaction_required', 'consent_required', 'access_denied']
])
/** Codes that only a provider sends. */
const ofProviders = new Set([
  ...['invalid_client', 'invalid_grant', 'invalid_token', 'unsupported_grant_type'],
  ...Object.keys(otherNames)
])

/**
 * The reason of an error code of OAuth 2.0 and OpenID Connect.
 * @param where it came from: a user can return with any code, also with one that blames the portal
 */
export function oauthReason(
  code: unknown,
  where: 'provider' | 'user' = 'provider'
): ProviderReason | undefined {
  if (typeof code !== 'string') return undefined
  const isKnown = ofUsers.has(code) || (where === 'provider' && ofProviders.has(code))
  if (!isKnown) return 'error'
  const reason = otherNames[code] ?? code.replaceAll('_', '-')
  return isReason(reason) ? reason : 'error'
}

/** Codes of openid-client and jose. Inside of them may be one of Node. */
const ofLibraries = /^(OAUTH_|ERR_J)/
const codes: Record<string, ProviderReason> = {
  OAUTH_JWT_USERINFO_EXPECTED: 'not-json',
  OAUTH_MISSING_SERVER_METADATA: 'metadata',
  OAUTH_INVALID_SERVER_METADATA: 'metadata',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'insecure',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'insecure',
  OAUTH_KEY_SELECTION_FAILED: 'key-not-found',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'clock',
  ERR_JWKS_NO_MATCHING_KEY: 'key-not-found',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'key-not-found',
  ERR_JWKS_INVALID: 'keys',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'signature',
  ERR_JOSE_ALG_NOT_ALLOWED: 'algorithm',
  ERR_JWT_EXPIRED: 'clock'
}
const ofClaims: Record<string, ProviderReason> = {
  iss: 'issuer',
  aud: 'audience',
  azp: 'audience',
  nonce: 'nonce',
  iat: 'clock',
  nbf: 'clock'
}

function byCode({ code, message = '', cause, claim }: Fault): ProviderReason | undefined {
  const facts = (typeof cause === 'object' && cause !== null ? cause : {}) as Record<
    string,
    unknown
  >
  switch (code) {
    case 'OAUTH_RESPONSE_IS_NOT_CONFORM':
    case 'OAUTH_RESPONSE_IS_NOT_JSON':
      return cause instanceof Response && !cause.ok ? `status-${cause.status}` : 'not-json'
    case 'OAUTH_WWW_AUTHENTICATE_CHALLENGE':
      return challenged(cause)
    case 'OAUTH_PARSE_ERROR':
      return message.includes('JWT') ? 'token' : 'not-json'
    case 'OAUTH_UNSUPPORTED_OPERATION':
      return message.includes('JWE') ? 'encrypted' : 'algorithm'
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      return facts.attribute === 'issuer' ? 'other-issuer' : 'subject'
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
      return ofClaims[String(facts.claim)] ?? 'claims'
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return message.includes('missing') ? 'claims' : (ofClaims[String(claim)] ?? 'claims')
    case 'OAUTH_INVALID_RESPONSE':
      return ofResponse(message, facts)
    default:
      return codes[String(code)]
  }
}

/** Tells which part is wrong of a response that the library calls invalid. */
function ofResponse(message: string, facts: Record<string, unknown>): ProviderReason {
  if (message.includes('signature verification')) return 'signature'
  if (message.includes('"alg"')) return 'algorithm'
  if (message.includes('"state"') || message.includes('state')) return 'state'
  if (message.includes('"iss"') && 'parameters' in facts) return 'issuer'
  if (message.includes('Key Set') || message.includes('"keys"')) return 'keys'
  if (message.includes('JWT') && !('claims' in facts)) return 'token'
  return 'claims' in facts ? 'claims' : 'response'
}

/** A server that refuses credentials may say why in a header only (RFC 6750, 3). */
function challenged(challenges: unknown): ProviderReason {
  const [first] = Array.isArray(challenges) ? (challenges as { parameters?: Fault }[]) : []
  return oauthReason(first?.parameters?.error) ?? 'status-401'
}
