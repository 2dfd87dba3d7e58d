import { jsonOf } from './refusals.ts'
import type { Problem } from './refusals.ts'
import { userOf } from './session.ts'
import type { SessionStore, User } from './session.ts'
import type { components } from '../../openapi/api.d.ts'

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
}

/**
 * A function like `fetch`. If a call needs a recent authentication, it asks the user for one, and
 * repeats the call. One that left with a cookie that was just replaced is repeated as well. Calls
 * of the portal say for whom they are, because another tab may have signed in somebody else since.
 */
export function createSend({ transfer, session, authPathOf, isPortal, onProof }: Surroundings) {
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
    if (![401, 403, 409].includes(response.status)) return response

    const problem = (await jsonOf(response)) as Partial<Problem>
    const { code = '' } = problem
    if (code === 'other-user') {
      await session.look()
      return otherUser()
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

/** In place of a response that is not for the user of the page. */
export const otherUser = () =>
  // Not Response.json, which React Native does not have.
  new Response(
    JSON.stringify({
      code: 'unauthenticated',
      detail: 'Another user has signed in. Reload the page.'
    }),
    { status: 401, headers: { 'content-type': 'application/json' } }
  )
