import createClient from 'openapi-fetch'
import type { components, paths } from '../../openapi/api.d.ts'
import { createPasskeys } from './passkeys.ts'
import { ok } from './refusals.ts'
import { createSend } from './send.ts'
import type { ProofRequest } from './send.ts'
import { createSession, userOf } from './session.ts'
import type { Session, User } from './session.ts'

export { ok, RejectedCall } from './refusals.ts'
export type { Problem } from './refusals.ts'
export type { ProofRequest } from './send.ts'
export type { Session, User } from './session.ts'

type Schemas = components['schemas']

export interface PortalOptions {
  /** Where the portal is, by default at the origin of the page. */
  baseUrl?: string
  /**
   * A call needs a recent authentication. Ask the user, pass the answer to a function of `proof`,
   * and resolve with true. The call is then repeated. Without this function, it is rejected.
   */
  onProof?(request: ProofRequest): Promise<boolean>
  /** The session of this user ended in another way than by `signOut`. */
  onSignedOut?(user: User): void
  /** Sends requests, by default `fetch`. */
  fetch?(request: Request): Promise<Response>
}

export type Portal = ReturnType<typeof createPortal>

/** How long the portal may take to say who is signed in. */
const patience = 10_000

/** A client of a portal for one page of a browser. On a server, the session stays *unknown*. */
export function createPortal(options: PortalOptions = {}) {
  const { baseUrl = '/', onProof, onSignedOut } = options
  const transfer = options.fetch ?? ((request: Request) => fetch(request))
  const base = typeof document === 'undefined' ? undefined : new URL(baseUrl, document.baseURI)
  const beginning = base && `${base.href.replace(/\/$/, '')}/api/auth/`
  const common = { baseUrl: base?.href ?? baseUrl, credentials: 'include' } as const
  const plain = createClient<paths>({ ...common, fetch: transfer })
  const closing = new AbortController()
  // Tabs of one origin. A message never says who is signed in.
  const tabs = base && new BroadcastChannel(`portal ${base.href}`)
  let isLeaving = false

  const session = createSession({
    async read() {
      const signal = AbortSignal.timeout(patience)
      const found = await plain.GET('/api/auth/session', { signal }).catch(() => undefined)
      return found?.data?.user
    },
    onEnd: (user) => isLeaving || onSignedOut?.(user),
    tell: () => tabs?.postMessage('look')
  })
  const look = () => {
    void session.look()
  }
  if (tabs) {
    for (const event of ['focus', 'online']) addEventListener(event, look, closing)
    tabs.onmessage = look
  }
  const send = createSend({
    transfer,
    session,
    onProof,
    authPathOf: (url) =>
      beginning && url.startsWith(beginning)
        ? new URL(url).pathname.split('/api/auth/').at(-1)
        : undefined
  })
  const api = createClient<paths>({ ...common, fetch: (request) => send(request) })
  const passkeys = createPasskeys(api)
  const prove = async (body: Schemas['Reauthentication']) => {
    await ok(api.POST('/api/auth/reauthenticate', { body }))
    return true as const
  }

  return {
    /** Calls of the portal, with the types of its API document. Wrap each in `ok`. */
    api,
    /** For calls of your own services behind the portal. The page must belong to their site. */
    fetch: (input: RequestInfo | URL, init?: RequestInit) => send(new Request(input, init)),
    session: {
      get value() {
        return session.value
      },
      subscribe: session.subscribe,
      look: session.look,
      /** Takes over what a call has changed about the user, such as the name. */
      set: (user: User | null) => session.learn(user, false)
    },
    /** Whether the user has a permission. The portal decides again with each call. */
    may: (permission: string) =>
      userOf(session.value)?.permissions.includes(permission as never) ?? false,
    /** Ways to sign in, and what a password must have. */
    options: () => ok(api.GET('/api/auth/options')),
    /** Signs in. The session may then wait for its second factor: see `verify`. */
    async signIn(body: Schemas['Credentials']): Promise<Session> {
      await ok(api.POST('/api/auth/login', { body }))
      return session.value
    },
    /** Completes a sign-in with its second factor. */
    async verify(body: Schemas['LoginVerification']): Promise<Session> {
      await ok(api.POST('/api/auth/login/verify', { body }))
      return session.value
    },
    /** A sign-in that waits for its second factor, such as after a way through a provider. */
    async pending(): Promise<Session> {
      await ok(api.GET('/api/auth/login/pending'))
      return session.value
    },
    /** The address must be confirmed first if the result has no `id`. */
    register: (body: Schemas['Registration']) => ok(api.POST('/api/auth/register', { body })),
    async signOut() {
      isLeaving = true
      try {
        await ok(api.POST('/api/auth/logout'))
      } finally {
        isLeaving = false
      }
    },
    passkeys,
    /** Leaves the page for a provider, which leads back to `returnTo`, or to `errorTo`. */
    async signInWith(key: string, way: Partial<Schemas['ProviderFlow']> = {}) {
      const body = { intent: 'sign-in', ...way } as const
      const params = { path: { key } }
      const { url } = await ok(api.POST('/api/auth/providers/{key}', { params, body }))
      location.assign(url)
    },
    /** Ways to authenticate again. Each resolves with true, or throws a RejectedCall. */
    proof: {
      password: (password: string) => prove({ password }),
      code: (code: string) => prove({ code }),
      async passkey() {
        const asked = await ok(api.POST('/api/auth/reauthenticate/options'))
        return prove({ credential: await passkeys.get(asked) })
      }
    },
    /** Stops listening to other tabs. */
    close() {
      closing.abort()
      tabs?.close()
    }
  }
}
