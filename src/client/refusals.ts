import type { components } from '../../openapi/api.d.ts'

export type Problem = components['schemas']['Problem']

/** A call that the portal rejected. `message` is for people, in English. */
export class RejectedCall extends Error {
  override name = 'RejectedCall'
  /** Empty if something else has responded in place of the portal, such as a proxy. */
  readonly problem: Partial<Problem>
  /** Seconds until the call may succeed, if the portal says so. */
  readonly retryAfter: number | undefined

  constructor(problem: Partial<Problem> | undefined, { status, headers }: Response) {
    super(problem?.detail ?? `The server responded with ${status}. Try again later.`)
    this.problem = problem ?? {}
    this.retryAfter = Number(headers.get('retry-after')) || undefined
  }
}

/** Whether a call was rejected. By name, because an app may have loaded the class twice. */
export const isRejected = (error: unknown): error is RejectedCall =>
  error instanceof Error && error.name === 'RejectedCall'

/** The body of a successful response. Throws a RejectedCall otherwise. */
export async function ok<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>
): Promise<Data> {
  const { data, error, response } = await call
  if (!response.ok) {
    const isProblem = 'code' in Object(error) // which may be undefined or a text
    throw new RejectedCall(isProblem ? (error as Partial<Problem>) : undefined, response)
  }
  return data as Data
}

/**
 * The body, if it is JSON. Proxies and responses to HEAD say so of bodies that are empty or pages:
 * these count as responses without one. The response can still be read.
 */
export async function jsonOf(response: Response): Promise<Record<string, unknown>> {
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  const body: unknown =
    isJson &&
    (await response
      .clone()
      .json()
      .catch(() => undefined))
  return Object(body) as Record<string, unknown>
}
