import { signal } from '@preact/signals'
import createClient from 'openapi-fetch'
import type { components, paths } from '../../../openapi/api.d.ts'
import { authorized, bearer } from './bearer.ts'
import { checkSession, isForeign, setUser } from './session.ts'

export type Schemas = components['schemas']
type Problem = Schemas['Problem']
type ProofMethod = NonNullable<Problem['methods']>[number]

/** Calls of the portal, with the types of its API document. Wrap each in `ok`. */
export const portal = createClient<paths>({ baseUrl: '/', fetch: (call) => send(call) })

/** An open dialog that asks the user to authenticate again with one of these methods. */
export const proofAsked = signal<
  | {
      methods: ProofMethod[]
      providers: components['schemas']['ShownProvider'][]
      answer(isProved: boolean): void
    }
  | undefined
>(undefined)

/** The id of the last request, by which the log of the server has it. */
export const lastRequest: { id?: string } = {}

/** A request that the portal rejected. `message` is for people, in English. */
export class RejectedCall extends Error {
  override name = 'RejectedCall'
  readonly problem: Partial<Problem>
  /** Seconds. */
  readonly retryAfter: number | undefined

  constructor(problem: Partial<Problem> | undefined, { status, headers }: Response) {
    // A proxy may have answered in place of the portal.
    super(problem?.detail ?? `The server responded with ${status}. Try again later.`)
    this.problem = problem ?? {}
    this.retryAfter = Number(headers.get('retry-after')) || undefined
  }
}

/** The body of a successful response. Throws a RejectedCall otherwise. */
export async function ok<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>
): Promise<Data> {
  const { data, error, response } = await call
  if (!response.ok) {
    const isProblem = typeof error === 'object' && error !== null && 'code' in error
    throw new RejectedCall(isProblem ? (error as Partial<Problem>) : undefined, response)
  }
  return data as Data
}

/**
 * Sends a request. If it needs a recent authentication, asks the user for one, and sends it again.
 * A request that left with a cookie that was just replaced is repeated once.
 */
async function send(request: Request, isRepeated = false): Promise<Response> {
  const again = request.clone()
  // A click may be what brings the user back to this window, after another one has signed in.
  if (request.method !== 'GET' && (await isForeign())) return otherUser()
  const response = await fetch(authorized(request)).catch((error: unknown) => {
    if (bearer.isUsed && !request.signal.aborted) setUser(null) // it is gone
    throw error
  })
  const id = response.headers.get('x-request-id')
  if (id !== null) lastRequest.id = id
  if (response.status !== 401 && response.status !== 403) return response
  const { code, methods = [], providers = [] } = await problemOf(response.clone())
  if (code === 'console-ended') setUser(null)
  if (code === 'unauthenticated') {
    const isLive = (await checkSession())?.is === 'live'
    return isLive && !isRepeated ? send(again, true) : response
  }
  if (code !== 'reauthentication-required' || isProof(request)) return response
  return (await isProved({ methods, providers })) ? send(again) : response
}

const otherUser = () =>
  Response.json(
    { code: 'unauthenticated', detail: 'Another user has signed in. Reload the page.' },
    { status: 401 }
  )

/** Whether the request is the authentication itself, for which no dialog may open. */
const isProof = ({ url }: Request) => new URL(url).pathname === '/api/auth/reauthenticate'

let asking: Promise<boolean> | undefined

/** Opens one dialog for all waiting calls: one authentication is recent enough for all. */
function isProved(ways: Pick<Required<Problem>, 'methods' | 'providers'>) {
  asking ??= new Promise<boolean>((resolve) => {
    proofAsked.value = { ...ways, answer: resolve }
  }).finally(() => {
    proofAsked.value = asking = undefined
  })
  return asking
}

async function problemOf(response: Response): Promise<Partial<Problem>> {
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  return isJson ? ((await response.json()) as Partial<Problem>) : {}
}
