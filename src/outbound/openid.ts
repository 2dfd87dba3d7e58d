import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import { ProviderRefusal } from '../domain/providers/client.ts'
import type { AuthorizationOptions, CallbackParams, Claims } from '../domain/providers/client.ts'
import type { FlowSecrets } from '../domain/providers/flow-cookie.ts'
import { claimAt, readBoolean } from '../domain/providers/identity.ts'
import type { AppleKey, Provider } from '../domain/providers/provider.ts'
import type { Fetch } from './fetch.ts'

// The library is loaded at the first use: without providers it takes neither time nor memory.
const load = () => import('openid-client')
type Library = Awaited<ReturnType<typeof load>>

/** Scopes and parameters of the authorization request that differ by kind. */
const requests: Record<Provider['kind'], Record<string, string>> = {
  google: { scope: 'openid email profile' },
  microsoft: { scope: 'openid email profile' },
  // Apple answers with a POST when it is asked for an address.
  apple: { scope: 'openid email', response_mode: 'form_post' },
  github: { scope: 'user:email' },
  oidc: { scope: 'openid email profile' }
}

/** Reads the discovery document. Signatures are verified although TLS protects the response. */
export async function discover(provider: Provider, fetch: Fetch): Promise<Configuration> {
  const oidc = await load()
  const { issuer, clientId, endpoints } = provider
  const authentication = authenticationOf(oidc, provider)
  const customFetch = (async (url, options) =>
    withoutNulls(await fetch(url, options))) as typeof fetch as CustomFetch
  // The fetch decides where http is allowed.
  const isPlain = issuer.startsWith('http:') || endpoints?.token.startsWith('http:') === true
  // oxlint-disable-next-line typescript/no-deprecated -- it is not: its authors make it stand out
  const allow: ((config: Configuration) => void)[] = isPlain ? [oidc.allowInsecureRequests] : []
  if (!endpoints) {
    return oidc.discovery(new URL(issuer), clientId, {}, authentication, {
      execute: [oidc.enableNonRepudiationChecks, ...allow],
      [oidc.customFetch]: customFetch
    })
  }
  const server = {
    issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token
  }
  const config = new oidc.Configuration(server, clientId, {}, authentication)
  config[oidc.customFetch] = customFetch
  for (const each of allow) each(config)
  return config
}

/**
 * Some providers send nothing as null, where the library expects a text or a number. Twitch sends a
 * list of scopes, which nobody reads here.
 */
async function withoutNulls(response: Response): Promise<Response> {
  const text = await response.clone().text()
  try {
    const body: unknown = JSON.parse(text, (name, value: unknown) =>
      value === null || (name === 'scope' && Array.isArray(value)) ? undefined : value
    )
    return new Response(JSON.stringify(body), response)
  } catch {
    return response
  }
}

/** By the method that the provider prefers, `client_secret_basic` unless it says otherwise. */
function authenticationOf(oidc: Library, { credential, clientId, issuer }: Provider): ClientAuth {
  if (!('secret' in credential)) {
    // The library waits for it, which its type does not say.
    // oxlint-disable-next-line typescript/no-misused-promises
    return async (_server, _client, body) => {
      body.set('client_id', clientId)
      body.set('client_secret', await appleSecret(credential, { clientId, audience: issuer }))
    }
  }
  const basic = oidc.ClientSecretBasic(credential.secret)
  const post = oidc.ClientSecretPost(credential.secret)
  return (server, ...others) => {
    const methods = server.token_endpoint_auth_methods_supported
    const isPost = methods?.includes('client_secret_post') && methods[0] !== 'client_secret_basic'
    return isPost === true || server.issuer === 'https://github.com'
      ? post(server, ...others)
      : basic(server, ...others)
  }
}

/** Kinds that let users choose an account. Some providers reject what they do not know. */
const choosing: Provider['kind'][] = ['google', 'microsoft', 'github']

export async function authorizationUrl(
  config: Configuration,
  { kind, roles }: Provider,
  secrets: FlowSecrets & { redirectUri: string },
  { again, chooses, email }: AuthorizationOptions
): Promise<string> {
  const oidc = await load()
  const { prompt_values_supported: prompts } = config.serverMetadata()
  const canChoose =
    choosing.includes(kind) || (Array.isArray(prompts) && prompts.includes('select_account'))
  const request = requests[kind]
  // Some providers send the groups of a user only when asked for them.
  const claim = roles && config.serverMetadata().scopes_supported?.includes(roles.claim)
  const build = config.serverMetadata().require_pushed_authorization_requests
    ? oidc.buildAuthorizationUrlWithPAR
    : oidc.buildAuthorizationUrl
  const url = await build(config, {
    ...request,
    ...(claim && { scope: `${request.scope} ${roles.claim}` }),
    redirect_uri: secrets.redirectUri,
    response_type: 'code',
    state: secrets.state,
    ...(kind !== 'github' && { nonce: secrets.nonce }),
    code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    ...(email !== undefined && { login_hint: email }),
    ...(chooses && canChoose && { prompt: 'select_account' }),
    ...(again && kind !== 'github' && { prompt: 'login', max_age: '0' })
  })
  return url.href
}

/** Exchanges the code. Returns the claims of the ID token, and what only UserInfo has. */
export async function identifyByToken(
  config: Configuration,
  { roles }: Provider,
  params: CallbackParams,
  secrets: FlowSecrets & { redirectUri: string }
): Promise<Claims> {
  const oidc = await load()
  const tokens = await oidc.authorizationCodeGrant(config, currentUrl(params, secrets), {
    pkceCodeVerifier: secrets.verifier,
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    idTokenExpected: true
  })
  await refuseOtherTypes(tokens.id_token ?? '')
  const claims: Claims = { ...tokens.claims() }
  // Some providers send nothing as null or as an empty text.
  const hasAddress = Boolean(claims.email)
  const isComplete = hasAddress && (!roles || claimAt(claims, roles.claim) !== undefined)
  if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return claims
  // Only signed claims count: an authentication, above all, is never taken from UserInfo.
  const {
    amr,
    acr,
    auth_time: authTime,
    ...more
  } = await oidc.fetchUserInfo(config, tokens.access_token, String(claims.sub))
  return hasAddress
    ? { ...withoutAddress(more), ...claims }
    : { ...more, ...withoutAddress(claims) }
}

/** Refuses tokens that the same key has signed for another use (RFC 8725, section 3.11). */
async function refuseOtherTypes(idToken: string) {
  const { decodeProtectedHeader } = await import('jose')
  const { typ = '' } = decodeProtectedHeader(idToken)
  if (/^(application\/)?(logout|at)\+jwt$/i.test(typ)) throw new ProviderRefusal('token-type')
}

/** All that is said about an address counts only from the source that has it. */
const withoutAddress = ({ email, email_verified: _, xms_edov: edov, hd, ...others }: Claims) =>
  others

/** GitHub has no ID token: its API says who it is, and which addresses it has confirmed. */
export async function identifyByApi(
  config: Configuration,
  { issuer, endpoints }: Provider,
  params: CallbackParams,
  secrets: FlowSecrets & { redirectUri: string }
): Promise<Claims> {
  const oidc = await load()
  const tokens = await oidc.authorizationCodeGrant(config, currentUrl(params, secrets), {
    pkceCodeVerifier: secrets.verifier,
    expectedState: secrets.state
  })
  const read = async (path: string): Promise<unknown> => {
    const url = new URL(`${endpoints?.api}${path}`)
    const response = await oidc.fetchProtectedResource(config, tokens.access_token, url, 'GET')
    return response.ok ? response.json() : undefined
  }
  const user = ((await read('/user')) ?? {}) as Record<string, unknown>
  const emails = (await read('/user/emails?per_page=100')) as Record<string, unknown>[] | undefined
  const own = Array.isArray(emails)
    ? emails.find((each) => readBoolean(each.primary) && readBoolean(each.verified))
    : undefined
  return {
    iss: issuer,
    sub: Number.isSafeInteger(user.id) ? String(user.id) : undefined,
    name: user.name ?? user.login,
    ...(own && { email: own.email, email_verified: true })
  }
}

function currentUrl(params: CallbackParams, { redirectUri }: { redirectUri: string }) {
  const url = new URL(redirectUri)
  for (const name of ['code', 'state', 'iss', 'error'] as const) {
    const value = params[name]
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url
}

/** Seconds. Apple allows six months. */
const lifetime = 300

/** The client secret of Apple is a token that the client signs itself. */
async function appleSecret(
  { teamId, keyId, privateKey }: AppleKey,
  { clientId, audience }: { clientId: string; audience: string }
): Promise<string> {
  const { importPKCS8, SignJWT } = await import('jose')
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setIssuedAt()
    .setExpirationTime(`${lifetime}s`)
    .setAudience(audience)
    .setSubject(clientId)
    .sign(await importPKCS8(privateKey, 'ES256'))
}
