import { createHash, createPrivateKey, randomBytes } from 'node:crypto'
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose'
import t from 'tap'
import { startApple } from './apple.ts'
import { startEntra } from './entra.ts'
import { startGithub } from './github.ts'
import { startOidcProvider } from './oidc.ts'
import { forgeToken } from './tokens.ts'
import { walk } from './walk.ts'

const verifier = randomBytes(32).toString('base64url')
const redirect = (key: string) => `http://localhost:3000/api/auth/providers/${key}/callback`

/** The address to which a client leads the browser. */
function startAt(endpoint: string, clientId: string, key: string, more: object = {}) {
  const params = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirect(key),
    response_type: 'code',
    scope: 'openid email profile',
    state: 'the state',
    nonce: 'the nonce',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    ...more
  })
  return `${endpoint}?${params}`
}

interface Discovery {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  jwks_uri: string
}
const getJson = async <T>(url: string) => (await (await fetch(url)).json()) as T
const discover = (issuer: string) =>
  getJson<Discovery>(`${issuer}/.well-known/openid-configuration`)

async function exchange(endpoint: string, key: string, params: Record<string, string>) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    redirect_uri: redirect(key),
    code_verifier: verifier,
    ...params
  })
  const response = await fetch(endpoint, {
    method: 'POST',
    body,
    headers: { accept: 'application/json' }
  })
  return (await response.json()) as Record<string, string>
}

async function verify(jwksUri: string, jwt = '') {
  const keys = await getJson<Parameters<typeof createLocalJWKSet>[0]>(jwksUri)
  return jwtVerify(jwt, createLocalJWKSet(keys))
}

t.test('a person signs in at the provider without a browser', async (t) => {
  const provider = await startOidcProvider(t, { path: '/realms/staff' })
  const { id, secret } = provider.client
  const found = await discover(provider.issuer)
  t.equal(found.issuer, provider.issuer)
  const callback = await walk(startAt(found.authorization_endpoint, id, 'acme'), 'lea')
  t.equal(callback.method, 'GET')
  t.equal(callback.url, redirect('acme'))
  t.equal(callback.params.get('state'), 'the state')
  t.equal(callback.params.get('iss'), provider.issuer)
  const code = callback.params.get('code') ?? ''
  const tokens = await exchange(found.token_endpoint, 'acme', {
    code,
    client_id: id,
    client_secret: secret
  })
  const { payload } = await verify(found.jwks_uri, tokens.id_token)
  t.match(payload, {
    iss: provider.issuer,
    aud: id,
    sub: 'lea',
    nonce: 'the nonce',
    email: 'lea.stone@example.com',
    email_verified: true,
    name: 'Lea Stone',
    amr: ['pwd', 'otp', 'mfa']
  })
  const again = await exchange(found.token_endpoint, 'acme', {
    code,
    client_id: id,
    client_secret: secret
  })
  t.equal(again.error, 'invalid_grant', 'a code is exchanged once')
})

t.test('the provider posts its response, and reports that somebody cancels', async (t) => {
  const provider = await startOidcProvider(t)
  const { authorization_endpoint: endpoint } = await discover(provider.issuer)
  const url = startAt(endpoint, provider.client.id, 'acme', { response_mode: 'form_post' })
  const posted = await walk(url, 'nora')
  t.equal(posted.method, 'POST')
  t.equal(posted.url, redirect('acme'))
  t.ok(posted.params.get('code'))
  const cancelled = await walk(startAt(endpoint, provider.client.id, 'acme'))
  t.equal(cancelled.params.get('error'), 'access_denied')
})

t.test('a test alters tokens, keys and discovery', async (t) => {
  const provider = await startOidcProvider(t)
  const { id, secret } = provider.client
  provider.alter.discovery = (body) => ({ ...body, issuer: 'https://other.example' })
  const found = await discover(provider.issuer)
  t.equal(found.issuer, 'https://other.example')
  provider.alter.idToken = (token) => forgeToken(token)
  const { params } = await walk(startAt(found.authorization_endpoint, id, 'acme'), 'nora')
  const code = params.get('code') ?? ''
  const tokens = await exchange(found.token_endpoint, 'acme', {
    code,
    client_id: id,
    client_secret: secret
  })
  await t.rejects(verify(found.jwks_uri, tokens.id_token), { message: /signature/ })
  const logout = await provider.logoutToken('nora')
  t.equal((await verify(found.jwks_uri, logout)).protectedHeader.typ, 'logout+jwt')
  await provider.rotateKeys()
  await t.rejects(verify(found.jwks_uri, logout), 'the key of before is gone')
})

t.test('the provider hangs up, hangs, never ends and leads elsewhere', async (t) => {
  const provider = await startOidcProvider(t)
  const ask = (timeout: number) =>
    fetch(`${provider.issuer}/jwks`, { redirect: 'manual', signal: AbortSignal.timeout(timeout) })
  provider.trouble = () => 'close'
  await t.rejects(ask(60_000), { message: 'fetch failed' })
  provider.trouble = () => 'hang'
  await t.rejects(ask(100), { name: 'TimeoutError' })
  provider.trouble = () => 'redirect'
  t.equal((await ask(60_000)).status, 302)
  provider.trouble = () => 'endless'
  const { body } = await ask(60_000)
  let length = 0
  for await (const chunk of body ?? []) if ((length += chunk.length) > 1e6) break
  t.ok(length > 1e6)
})

t.test('GitHub answers 200 to errors, and tells the addresses of a user', async (t) => {
  const github = await startGithub(t)
  const { id, secret } = github.client
  const { params } = await walk(startAt(github.endpoints.authorization, id, 'github'))
  const code = params.get('code') ?? ''
  t.equal(params.get('iss'), null)
  const wrong = { code, client_id: id, client_secret: 'another' }
  t.match(await exchange(github.endpoints.token, 'github', wrong), {
    error: 'incorrect_client_credentials'
  })
  const { access_token: token } = await exchange(github.endpoints.token, 'github', {
    ...wrong,
    client_secret: secret
  })
  const headers = { authorization: `Bearer ${token}` }
  const emails = await fetch(`${github.endpoints.api}/user/emails`, { headers })
  t.match(await emails.json(), [{ primary: false }, { primary: true, verified: true }])
  t.equal((await fetch(`${github.endpoints.api}/user`)).status, 401)
})

t.test('Entra names its tenant in the token only', async (t) => {
  const entra = await startEntra(t)
  const { id } = entra.client
  const found = await discover(entra.issuer)
  t.match(found.issuer, '{tenantid}')
  const { params } = await walk(startAt(found.authorization_endpoint, id, 'microsoft'))
  const code = params.get('code') ?? ''
  const tokens = await exchange(found.token_endpoint, 'microsoft', { code, client_id: id })
  const { payload } = await verify(found.jwks_uri, tokens.id_token)
  t.match(payload, { iss: `${entra.origin}/${entra.tid}/v2.0`, tid: entra.tid, xms_edov: true })
})

t.test('Apple takes a signed secret, posts its response, and tells the name once', async (t) => {
  const apple = await startApple(t)
  const url = startAt(`${apple.issuer}/auth/authorize`, apple.clientId, 'apple', {
    response_mode: 'form_post'
  })
  const first = await walk(url)
  t.equal(first.method, 'POST')
  t.match(JSON.parse(first.params.get('user') ?? ''), { name: { lastName: 'Field' } })
  t.equal((await walk(url)).params.get('user'), null)
  const secret = await new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: apple.keyId })
    .setIssuer(apple.teamId)
    .setSubject(apple.clientId)
    .setAudience(apple.issuer)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(createPrivateKey(apple.privateKey))
  const params = { code: first.params.get('code') ?? '', client_id: apple.clientId }
  const endpoint = `${apple.issuer}/auth/token`
  t.equal((await exchange(endpoint, 'apple', params)).error, 'invalid_client')
  const tokens = await exchange(endpoint, 'apple', { ...params, client_secret: secret })
  const { payload } = await verify(`${apple.issuer}/auth/keys`, tokens.id_token)
  t.equal(payload.email_verified, 'true')
})
