import createClient from 'openapi-fetch'
import type { components, paths } from '../../openapi/api.d.ts'
import { jsonOf, ok } from './refusals.ts'
import type { Problem } from './refusals.ts'
import { createSession, userOf } from './session.ts'
import type { SessionStore, User } from './session.ts'

export interface PortalOptions {
  /** Where the portal is, by default at the origin of the page. */
  baseUrl?: string
  /**
   * A call needs a recent authentication. Ask the user, pass the answer to a function of `proof`,
   * and resolve with true. The call is then repeated. Without this function, it is rejected.
   */
  onProof?(request: ProofRequest): Promise<boolean>
  /**
   * A call waits while the device solves a challenge. `seconds` is about how long that takes, and 0
   * once it is solved. Most take less than a second, and are not reported before their end.
   */
  onWork?(seconds: number): void
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

/** Calls, and who is signed in. On a server, the session stays *unknown*. */
export function createConnection(options: PortalOptions = {}) {
  const {
    baseUrl = '/',
    fetch: transfer = (request: Request) => fetch(request),
    onProof,
    onSignedOut,
    onWork,
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
    ['auth', 'user', 'scopes', 'admin'].some(
      (part) => beginning && url.startsWith(`${beginning}${part}/`)
    )
  const common = { baseUrl: base?.href ?? baseUrl, credentials: 'include' } as const
  const plain = createClient<paths>({ ...common, fetch: transfer })
  const closing = new AbortController()
  // Tabs of one origin. A message never says who is signed in.
  const tabs = page && base ? new BroadcastChannel(`portal ${base.href}`) : undefined
  let isLeaving = false
  let isWarned = false
  let marks: Marks = {}

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
    // The first access to the storage takes the browser a while: the page begins meanwhile.
    setTimeout(() => {
      if (closing.signal.aborted) return
      try {
        marks = sessionStorage as Marks
      } catch {
        return // The user blocks the storage of sites: other tabs look when they get the focus.
      }
      // A provider may have signed in somebody else, which this page finds out, and others do not.
      if (marks.portalAway) tabs.postMessage('look')
      delete marks.portalAway
    })
  }
  // Loaded once it is needed, where the bundler of the app leaves that to the page.
  const solve: Surroundings['solve'] = async (challenge) =>
    (await import('./proof.ts')).solve(challenge, onWork)
  const send = createSend({ transfer, session, onProof, authPathOf, isPortal, solve })

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
    /** Calls your own services behind the portal. The page must belong to their site. */
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

type SecondFactorDue = components['schemas']['SecondFactorDue']

/** How the user can authenticate again. */
export interface ProofRequest {
  methods: NonNullable<Problem['methods']>
  providers: components['schemas']['ShownProvider'][]
}

interface Surroundings {
  /** Sends a request as it is. */
  transfer(request: Request): Promise<Response>
  session: SessionStore
  /** The part of a URL after `/api/auth/` of the portal, if it is one of these. */
  authPathOf(url: string): string | undefined
  /** Whether the portal itself responds, and not a service behind it. */
  isPortal(url: string): boolean
  onProof?: ((request: ProofRequest) => Promise<boolean>) | undefined
  /** Solves a challenge, and returns the header with which the call is repeated. */
  solve(challenge: components['schemas']['ProofChallenge']): Promise<string>
}

/** Challenges that one call may get, because they become harder while one is solved. */
const mostChallenges = 3

/**
 * A function like `fetch`. If a call needs a recent authentication, it asks the user for one, and
 * repeats the call. One that left with a cookie that was just replaced is repeated as well. Calls
 * of the portal say for whom they are, because another tab may have signed in somebody else since.
 */
export function createSend(surroundings: Surroundings) {
  const { transfer, session, authPathOf, isPortal, onProof, solve } = surroundings
  let asking: Promise<boolean> | undefined
  let proofs = 0

  /** One question for all calls that wait: one authentication is recent enough for all. */
  const isProved = ({ methods = [], providers = [] }: Partial<Problem>) =>
    (asking ??= onProof!({ methods, providers }).finally(() => {
      asking = undefined
      proofs++
    }))

  /** Takes over who a response of the portal's says is signed in. */
  async function learnFrom(path: string, { method }: Request, response: Response) {
    const isChange = method !== 'GET'
    if (path === 'logout') return session.learn(null, isChange)
    const body = await jsonOf(response)
    // A registration has no session, and another authentication no user.
    if ('user' in body && 'session' in body) session.learn(body.user as User | null, isChange)
    if ('next' in body) session.learn(body as unknown as SecondFactorDue, isChange)
  }

  /** @param repeated the codes for which the call was repeated */
  return async function send(request: Request, ...repeated: string[]): Promise<Response> {
    const user = userOf(session.value)
    const isOther = () => user && (userOf(session.value) ?? user).id !== user.id
    const again = request.clone()
    // A click may be what brings the user back to this window, after another one has signed in.
    const looking = user && session.looked()
    if (looking) {
      await looking
      if (isOther()) return otherUser()
    }
    if (user && isPortal(request.url)) request.headers.set('portal-user', user.id)
    const before = proofs
    const response = await transfer(request)
    // The page that has asked is that of another user.
    if (isOther()) return otherUser()
    const path = authPathOf(request.url)
    if (response.ok && path !== undefined) await learnFrom(path, request, response)
    if (![401, 403, 409, 428].includes(response.status)) return response

    const problem = (await jsonOf(response)) as Partial<Problem>
    const { code = '' } = problem
    if (code === 'other-user') {
      await session.look()
      return otherUser()
    }
    const solved = repeated.filter((each) => each === code).length
    if (problem.challenge && solved < mostChallenges) {
      // Without a solution, the response says what is wrong.
      const proof = await solve(problem.challenge).catch(() => undefined)
      if (proof === undefined) return response
      again.headers.set('portal-proof', proof)
      return send(again, ...repeated, code)
    }
    if (code === 'login-expired') session.learn(null, false)
    if (repeated.includes(code)) return response
    if (code === 'unauthenticated' && user) {
      const now = userOf(await session.look())
      return now?.id === user.id ? send(again, ...repeated, code) : response
    }
    const asks = code === 'reauthentication-required' && onProof && path !== 'reauthenticate'
    // A slow call left before somebody answered the question of another call.
    if (asks && before < proofs) return send(again, ...repeated)
    return asks && (await isProved(problem)) ? send(again, ...repeated, code) : response
  }
}

/** Replaces a response that is not for the user of the page. */
export const otherUser = () =>
  // React Native has no Response.json.
  new Response(
    JSON.stringify({
      code: 'unauthenticated',
      detail: 'Another user has signed in. Reload the page.'
    }),
    { status: 401, headers: { 'content-type': 'application/json' } }
  )
