/**
 * Why a provider could not sign somebody in, after "The provider ". The audit record, the log,
 * `portal provider check` and `portal doctor` have these and no word of the provider.
 */
export const reasons = {
  // No response that can be used.
  unreachable: 'cannot be reached: check its address, and the network and firewall of this machine',
  'host-name': 'has a host name that cannot be resolved',
  certificate:
    'has a certificate that is not trusted, has expired or belongs to another host. ' +
    'NODE_EXTRA_CA_CERTS adds a private authority',
  timeout: 'did not answer within five seconds',
  busy: 'has too many calls of this instance under way',
  'too-large': 'sent more than 256 KiB',
  redirect: 'redirects to another address: name the last one',
  insecure: 'names an address that is not https',
  'not-json': 'answers with something else than JSON, such as a page: check issuer or tenant',
  'other-issuer': 'names another issuer in its discovery document: copy that one, slash included',
  metadata: 'lacks an address in its discovery document',
  keys: 'publishes no key that can be used',
  // It refuses the portal.
  'invalid-client': 'refuses the client id or the client secret: it may have expired',
  'unauthorized-client': 'does not allow this client to sign users in with a code',
  'invalid-grant': 'refuses the code: used twice, too old, or for another redirect URI',
  'invalid-request': 'finds a mistake in the request',
  'invalid-scope': 'does not allow the scopes openid, email and profile, or the claim of roles',
  'unsupported-grant-type': 'does not allow codes',
  'unsupported-response-type': 'does not allow codes',
  'invalid-token': 'refuses its own access token at UserInfo',
  'server-error': 'reports a failure of its own',
  'temporarily-unavailable': 'reports that it is unavailable',
  'login-required': 'could not sign the user in',
  'interaction-required': 'could not sign the user in',
  'consent-required': 'got no consent of the user, or of an administrator there',
  denied: 'or the user cancelled',
  error: 'reports an error that OAuth does not know',
  // Its response is not accepted.
  response: 'sent a response that lacks what OpenID Connect requires',
  token: 'sent an ID token that is none',
  encrypted: 'encrypts its ID tokens: choose signed ones there',
  algorithm:
    'signs its ID tokens in another way than its discovery document says, or with a secret',
  'key-not-found': 'signed with a key that it does not publish',
  signature: 'sent a signature that its published key does not verify',
  issuer: 'sent a token of another issuer',
  audience: 'sent a token for another client: check clientId',
  nonce: 'sent an ID token of another attempt',
  state: 'led back an attempt that this browser did not begin',
  clock: 'sent a token that has expired or is not valid yet: compare the clocks',
  claims: 'sent a token that lacks a claim, or has one of another type',
  subject: 'sent no subject or issuer that can be stored',
  'token-type': 'sent a token of another type as an ID token',
  'logout-token': 'sent a logout token that is none, or has no sub',
  // The portal does not accept whom it names.
  'other-domain': 'named an address that is of none of its domains',
  'other-account': 'named another account than the one that is linked',
  'not-recent': 'did not authenticate the user again',
  'logged-out': 'has signed the user out since',
  repeated: 'sent a logout token twice',
  // These are about what it offers, as `portal provider check` reads it.
  'no-secret':
    'accepts no client secret in basic or post form, only methods such as private_key_jwt',
  'symmetric-only': 'signs ID tokens with a secret only (HS256): choose RS256 or ES256 there'
} as const

export type ProviderReason = keyof typeof reasons | `status-${number}`

export const isReason = (text: string): text is keyof typeof reasons => Object.hasOwn(reasons, text)

/** After "The provider ". */
export const providerWords = (reason: ProviderReason): string =>
  isReason(reason) ? reasons[reason] : `answers with ${reason.replace('-', ' ')}`
