import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { people } from '../../../src/dev-provider/people.ts'
import type { Person } from '../../../src/dev-provider/people.ts'
import { createProvider, newKey } from '../../../src/dev-provider/provider.ts'
import { until } from '../app.ts'
import { listen } from './loopback.ts'
import { publicPart, readToken, signToken } from './tokens.ts'
import type { Token } from './tokens.ts'

/** The content of a response in JSON, which an alteration changes or replaces. */
type Body = Record<string, unknown>

/** The provider says this instead of the truth. */
interface Alterations {
  /** Returns the token, to be signed as ever, or the text to send instead. */
  idToken?: (token: Token) => Token | string | Promise<Token | string>
  tokenResponse?: (body: Body) => Body
  discovery?: (body: Body) => Body
  keys?: (keys: JsonWebKey[]) => JsonWebKey[]
  userInfo?: (body: Body) => Body
}

/** The server does this with a request instead of answering. */
export type Trouble = 'hang' | 'endless' | 'redirect' | 'close' | 'html' | number

interface Options {
  /** Keys of the provider in the configuration of the portal. */
  keys?: string[]
  portal?: string
  authMethod?: 'client_secret_basic' | 'client_secret_post'
  /** Only pushed authorization requests (RFC 9126) are accepted. */
  pushed?: boolean
  /** Below the origin, as in Keycloak. */
  path?: string
}

/**
 * An OpenID Connect provider on loopback, until the test ends: `oidc-provider`, whose answers a test
 * alters. It accepts the callback of `keys` of the portal.
 */
export async function startOidcProvider(t: Pick<Test, 'teardown'>, options: Options = {}) {
  const { keys = ['acme'], portal = 'http://localhost:3000', path = '' } = options
  const { authMethod = 'client_secret_post', pushed = false } = options
  const client = { id: 'portal', secret: randomUUID() }
  const members: Person[] = []
  const trouble = (_path: string): Trouble | undefined => undefined
  const key = await newKey()
  let answer = (_: IncomingMessage, response: ServerResponse): unknown => response.end()
  const state = {
    client,
    issuer: '',
    people: members,
    /** The private key that signs. */
    key,
    alter: {} as Alterations,
    trouble,
    /** The paths of all requests, oldest first. */
    requests: [] as string[],
    /** Tells the truth again, and forgets what a test has asked. */
    reset() {
      Object.assign(state, { alter: {}, trouble, requests: [] })
      const copies = people.map((person) => ({ ...person, claims: { ...person.claims } }))
      members.splice(0, members.length, ...copies)
    },
    /** Signs with a new key from now on, and publishes only that one. */
    async rotateKeys() {
      state.key = await newKey()
    },
    /** A logout token (OpenID Connect Back-Channel Logout 1.0) for somebody. */
    async logoutToken(sub: string, change: (token: Token) => Token = (token) => token) {
      const header = { alg: 'ES256', typ: 'logout+jwt', kid: state.key.kid }
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: state.issuer,
        aud: client.id,
        iat: now,
        exp: now + 120,
        jti: randomUUID(),
        sub,
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} }
      }
      return signToken(change({ header, claims }), state.key)
    }
  }
  state.reset()
  const origin = await listen(t, (request, response) => {
    const { pathname } = new URL(request.url ?? '', origin)
    state.requests.push(pathname)
    const trouble = state.trouble(pathname)
    if (trouble !== undefined) return cause(trouble, response)
    if (path !== '' && request.url?.startsWith(path)) {
      Object.assign(request, { originalUrl: request.url, url: request.url.slice(path.length) })
    }
    answer(request, response)
  })
  state.issuer = origin + path

  const provider = createProvider({
    issuer: state.issuer,
    client: {
      client_id: client.id,
      client_secret: client.secret,
      redirect_uris: keys.map((key) => `${portal}/api/auth/providers/${key}/callback`),
      id_token_signed_response_alg: 'ES256',
      token_endpoint_auth_method: authMethod,
      require_pushed_authorization_requests: pushed
    },
    people: members,
    keys: [key]
  })
  provider.use(async (ctx, next) => {
    await next()
    const { alter } = state
    if (ctx.path === '/.well-known/openid-configuration' && alter.discovery) {
      ctx.body = alter.discovery(ctx.body as Body)
    }
    if (ctx.path === '/jwks') {
      const shown = [publicPart(state.key)]
      ctx.body = { keys: alter.keys ? alter.keys(shown) : shown }
    }
    if (ctx.path === '/me' && alter.userInfo) ctx.body = alter.userInfo(ctx.body as Body)
    if (ctx.path === '/token' && ctx.status === 200) {
      ctx.body = await alteredTokens(ctx.body as Body, alter)
    }
  })
  async function alteredTokens(body: Body, alter: Alterations): Promise<Body> {
    const token = readToken(String(body.id_token))
    token.header.kid = state.key.kid
    const altered = (await alter.idToken?.(token)) ?? token
    const idToken = typeof altered === 'string' ? altered : await signToken(altered, state.key)
    const response = { ...body, id_token: idToken }
    return alter.tokenResponse?.(response) ?? response
  }
  answer = provider.callback()
  return state
}

export type TestProvider = Awaited<ReturnType<typeof startOidcProvider>>

async function cause(trouble: Trouble, response: ServerResponse) {
  if (typeof trouble === 'number') response.writeHead(trouble).end()
  else if (trouble === 'close') response.destroy()
  else if (trouble === 'redirect') {
    response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
  } else if (trouble === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>')
  } else if (trouble === 'endless') {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"issuer":"')
    const chunk = 'x'.repeat(65_536)
    while (!response.destroyed) {
      response.write(chunk)
      await until(() => response.destroyed || !response.writableNeedDrain)
    }
  }
}
