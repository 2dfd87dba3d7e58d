import createClient from 'openapi-fetch'
import type { paths } from '../../openapi/api.d.ts'
import { jsonOf, ok } from './refusals.ts'
import { createSend } from './send.ts'
import type { ProofRequest } from './send.ts'
import { createSession } from './session.ts'
import type { User } from './session.ts'

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
  /**
   * The program acts for one user, and its `fetch` keeps cookies: an app for phones or desktops, or
   * a script. Otherwise, where there are no pages, it could be a server that writes pages for
   * everybody, so the session stays *unknown*.
   */
  oneUser?: boolean
}

/** How long the portal may take to say who is signed in. */
const patience = 10_000

/** Outlives the page in its tab. */
interface Marks {
  /** Whether the tab has left for a provider. */
  portalAway?: string
}

/** What every page needs: calls, and who is signed in. On a server, the session stays *unknown*. */
export function createConnection(options: PortalOptions = {}) {
  const {
    baseUrl = '/',
    fetch: transfer = (request: Request) => fetch(request),
    onProof,
    onSignedOut,
    oneUser
  } = options
  const page = typeof document === 'undefined' ? undefined : document.baseURI
  const base = page || oneUser ? new URL(baseUrl, page) : undefined
  const beginning = base && `${base.href.replace(/\/$/, '')}/api/`
  /** The part of a URL after `/api/auth/` of the portal, if it has one. On a server, none has. */
  const authPathOf = (url: string) =>
    beginning && url.startsWith(`${beginning}auth/`)
      ? url.slice(beginning.length + 5).split(/[?#]/)[0]
      : undefined
  const isPortal = (url: string) =>
    ['auth', 'user', 'admin'].some((part) => beginning && url.startsWith(`${beginning}${part}/`))
  const common = { baseUrl: base?.href ?? baseUrl, credentials: 'include' } as const
  const plain = createClient<paths>({ ...common, fetch: transfer })
  const closing = new AbortController()
  // Tabs of one origin. A message never says who is signed in.
  const tabs = page && base ? new BroadcastChannel(`portal ${base.href}`) : undefined
  let isLeaving = false
  let isWarned = false
  let marks: Marks = {}
  try {
    if (tabs) marks = sessionStorage as Marks
  } catch {
    // The user blocks the storage of sites: other tabs look when they get the focus.
  }

  const session = createSession({
    async read() {
      if (!base) return undefined
      // React Native has no such timeout.
      const signal = (AbortSignal as Partial<typeof AbortSignal>).timeout?.(patience) ?? null
      const found = await plain.GET('/api/auth/session', { signal }).catch(() => {
        if (!isWarned) {
          console.warn(
            `No portal responds at ${base.href}: start it, and forward /api, or set CORS_ORIGINS.`
          )
        }
        isWarned = true
      })
      return found?.data?.user
    },
    onEnd: (user) => isLeaving || onSignedOut?.(user),
    tell: () => tabs?.postMessage('look')
  })
  const look = session.look as () => void // it never rejects
  if (tabs) {
    for (const event of ['focus', 'online']) addEventListener(event, look, closing)
    tabs.onmessage = look
    // A provider may have signed in somebody else, which this page finds out, and others do not.
    if (marks.portalAway) tabs.postMessage('look')
    delete marks.portalAway
  }
  const send = createSend({ transfer, session, onProof, authPathOf, isPortal })

  const api = createClient<paths>({
    ...common,
    async fetch(request) {
      const response = await send(request)
      if (authPathOf(request.url)?.startsWith('providers/')) marks.portalAway = 'look'
      await warnOfOlder(request, response)
      return response
    }
  })

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
    async signOut() {
      isLeaving = true
      try {
        await ok(api.POST('/api/auth/logout'))
      } finally {
        isLeaving = false
      }
    },
    /** Stops listening to other tabs. */
    close() {
      closing.abort()
      tabs?.close()
    }
  }
}

/**
 * The API document of this version has every operation that `api` can call. The portal has these
 * two codes for operations that it does not have, and others for what an operation does not find.
 */
async function warnOfOlder({ method, url }: Request, response: Response) {
  const { code } = response.ok ? {} : await jsonOf(response)
  if (code !== 'not-found' && code !== 'method-not-allowed') return
  console.warn(
    `The portal has no ${method} ${url}: it is older than portal-client, ` +
      'or a proxy changes paths.'
  )
}
