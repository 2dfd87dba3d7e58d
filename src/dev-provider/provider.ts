import type { IncomingMessage } from 'node:http'
import type { JWK } from 'jose'
import { errors, Provider } from 'oidc-provider'
import type {
  Adapter,
  AdapterPayload,
  ClientMetadata,
  Configuration,
  KoaContextWithOIDC
} from 'oidc-provider'
import { escapeHtml } from '../domain/texts.ts'
import { siteStyle } from '../html.ts'
import type { Person } from './people.ts'

/** A private key (RFC 7517). */
export interface SigningKey extends JWK {
  kid: string
}

export interface ProviderOptions {
  /** Also where it is mounted: the path counts. */
  issuer: string
  client: ClientMetadata & { redirect_uris: string[] }
  /** Read with each sign-in, so that it can change. */
  people: readonly Person[]
  /** The first one signs ID tokens. */
  keys: SigningKey[]
}

/** The parts of a request that the page needs. */
type Context = Pick<
  KoaContextWithOIDC,
  'req' | 'res' | 'method' | 'redirect' | 'status' | 'set' | 'type' | 'body'
>

/** The cookie of its signature begins with it as well. */
const sessionCookie = 'example_session'

/** Where the page is, below the issuer. */
const choosing = '/choose/'

/**
 * An OpenID Connect provider with one client, whose people sign in by pressing a button. It keeps
 * everything in memory, asks for no consent, and forgets who signed in before.
 */
export function createProvider({ issuer, client, people, keys }: ProviderOptions): Provider {
  const find = (id: string) => people.find((person) => person.id === id)
  const origins = [...new Set(client.redirect_uris.map((uri) => new URL(uri).origin))]
  const method = client.token_endpoint_auth_method
  const settings: Configuration = {
    adapter: createStore(),
    clients: [
      {
        response_types: ['code'],
        grant_types: ['authorization_code'],
        require_auth_time: true, // as most providers do without being asked
        ...client
      }
    ],
    jwks: { keys: keys as NonNullable<Configuration['jwks']>['keys'] },
    cookies: {
      keys: [globalThis.crypto.randomUUID()],
      names: { session: sessionCookie, interaction: 'example_choice', resume: 'example_resume' }
    },
    ...(method && { clientAuthMethods: [method] }),
    scopes: ['openid', 'email', 'profile'],
    claims: {
      openid: ['sub', 'amr', 'acr', 'groups', 'auth_time'],
      email: ['email', 'email_verified'],
      profile: ['name', 'locale', 'hd']
    },
    conformIdTokenClaims: false, // the claims of the scopes are in the ID token, as elsewhere
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600
    },
    interactions: { url: (_, { uid }) => issuer + choosing + uid },
    findAccount: (_, id) => {
      const person = find(id)
      return person && { accountId: id, claims: () => ({ ...person.claims, sub: id }) }
    },
    loadExistingGrant: async ({ oidc }) => {
      const { clientId } = oidc.client ?? {}
      const { accountId } = oidc.session ?? {}
      if (clientId === undefined || accountId === undefined) return undefined
      const grant = new oidc.provider.Grant({ clientId, accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    renderError: (ctx, { error }) => {
      // Only mistakes of the client, such as another redirect URI, are shown here.
      ctx.type = 'text/plain'
      ctx.body = `The example provider refuses the request (${error}).`
    }
  }
  const provider = new Provider(issuer, settings)

  provider.use(async (ctx, next) => {
    // Everybody chooses anew, at the beginning and on the way back. A session of somebody else
    // would have to be ended first, by a script that the portal does not allow.
    if (/^\/auth(\/|$)/.test(ctx.path)) {
      const cookies = (ctx.req.headers.cookie ?? '').split(/; */)
      ctx.req.headers.cookie = cookies.filter((each) => !each.startsWith(sessionCookie)).join('; ')
    }
    if (!ctx.path.startsWith(choosing)) return next()
    try {
      await choose(ctx)
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error
      ctx.status = 400
      show(ctx, endedPage())
    }
  })

  async function choose(ctx: Context) {
    const { prompt } = await provider.interactionDetails(ctx.req, ctx.res)
    if (ctx.method !== 'POST' || prompt.name !== 'login') return show(ctx, peoplePage(people))
    const person = find((await readForm(ctx.req)).get('person') ?? '')
    const result = person
      ? { login: { accountId: person.id, amr: person.amr, remember: false, ...acrOf(person) } }
      : { error: 'access_denied' }
    ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result))
    ctx.status = 303
  }

  function show(ctx: Context, html: string) {
    ctx.set('content-security-policy', peoplePolicy(origins))
    ctx.set('cache-control', 'no-store')
    ctx.type = 'html'
    ctx.body = html
  }
  return provider
}

const acrOf = ({ acr }: Person) => (acr === undefined ? {} : { acr })

/** A form of at most 4 KiB. What is longer counts as empty. */
async function readForm(request: IncomingMessage) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > 4096) return new URLSearchParams()
  }
  return new URLSearchParams(text)
}

/** A new private key for ES256. */
export async function newKey(): Promise<SigningKey> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const { subtle } = globalThis.crypto
  const { privateKey } = await subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const { kty, crv, x, y, d } = await subtle.exportKey('jwk', privateKey)
  const kid = globalThis.crypto.randomUUID()
  return { kty, crv, x, y, d, kid, alg: 'ES256', use: 'sig' } as SigningKey
}

const style = `${siteStyle}
body { padding: min(12vh, 7rem) 1rem 3rem; background: var(--canvas) }
main {
  max-width: 26rem; padding: 2rem 2rem 1.25rem; background: var(--surface);
  border: 1px solid var(--line); border-radius: .625rem
}
@media (max-width: 30rem) { body { padding-top: 1rem } main { padding: 1.5rem 1rem .75rem } }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25 }
p { color: var(--muted); margin: 0 0 1.5rem }
a { color: var(--accent) }
button {
  display: block; width: 100%; margin: 0 0 .75rem; padding: .75rem 1rem; box-sizing: border-box;
  font: inherit; text-align: start; color: var(--text); background: var(--surface);
  border: 1px solid var(--control); border-radius: .375rem; cursor: pointer
}
button:hover { background: var(--sunken) }
button.plain { margin: 0; border-color: transparent; color: var(--muted); text-align: center }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
strong, small { display: block }
small { color: var(--muted); font-size: .875rem }
`

/**
 * Content-Security-Policy of the page. The form leads through redirects to the callback of the
 * client, which `form-action` has to allow as well.
 */
const peoplePolicy = (clientOrigins: readonly string[]) =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    ["form-action 'self'", ...clientOrigins].join(' '),
    "frame-ancestors 'none'"
  ].join('; ')

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`

/** Asks which of these people signs in. */
const peoplePage = (people: readonly Person[]): string =>
  page(
    'Example provider',
    `<p>Choose who signs in. These people are made up, and need no password. In production, this is
the page of your provider.</p>
<form method="post">
${people.map(buttonOf).join('\n')}
<button class="plain" name="person" value="">Cancel</button>
</form>`
  )

const buttonOf = ({ id, about, claims }: Person) =>
  `<button name="person" value="${escapeHtml(id)}">
<strong>${escapeHtml(claims.name ?? id)}</strong>
${[claims.email ?? '', about].map((line) => `<small>${escapeHtml(line)}</small>`).join('\n')}
</button>`

/** For a page that was open for too long, or in another browser. */
const endedPage = (): string =>
  page(
    'This sign-in has ended',
    '<p>It was completed, took too long, or began in another browser. Go back and start again.</p>'
  )

interface Kept {
  payload: AdapterPayload
  /** Milliseconds since 1970. */
  until: number
}

/** More than people can begin by hand. The oldest go first. */
const most = 1000

/** The memory of a provider until it stops: all share the storage of the library. */
function createStore(): (model: string) => Adapter {
  const kept = new Map<string, Kept>()
  const find = (matches: (payload: AdapterPayload) => boolean) =>
    [...kept.values()].find(({ payload }) => matches(payload))?.payload

  return (model) => {
    const keyOf = (id: string) => `${model} ${id}`
    return {
      async upsert(id, payload, expiresIn) {
        kept.delete(keyOf(id))
        kept.set(keyOf(id), { payload, until: Date.now() + (expiresIn || 600) * 1000 })
        const [oldest] = kept.keys()
        if (kept.size > most && oldest !== undefined) kept.delete(oldest)
      },
      async find(id) {
        const found = kept.get(keyOf(id))
        return found && found.until > Date.now() ? found.payload : undefined
      },
      async findByUid(uid) {
        return find((payload) => payload.uid === uid)
      },
      async findByUserCode(userCode) {
        return find((payload) => payload.userCode === userCode)
      },
      async consume(id) {
        const found = kept.get(keyOf(id))
        if (found) found.payload.consumed = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        kept.delete(keyOf(id))
      },
      async revokeByGrantId(grantId) {
        for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key)
      }
    }
  }
}
