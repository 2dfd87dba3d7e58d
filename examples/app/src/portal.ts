import createClient from 'openapi-fetch'
import type { components, paths } from './api.d.ts'
import { proveAgain } from './proof.ts'

export type Problem = components['schemas']['Problem']

/** Calls of the portal, with the types of its API document. */
export const portal = createClient<paths>({ baseUrl: '/', fetch: send })

/**
 * Sends a request to the portal or to a service behind it. If it needs a recent proof of who the
 * user is, asks for one and sends the request again. A session that has ended is announced to the
 * page with the event `session-ended`.
 */
export async function send(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await fetch(request)
  if (response.status !== 401 && response.status !== 403) return response
  const problem = await problemOf(response.clone())
  if (problem.code === 'unauthenticated') dispatchEvent(new Event('session-ended'))
  if (problem.code !== 'reauthentication-required') return response
  return (await proveAgain(problem.methods ?? [])) ? send(again) : response
}

/** The body of a successful response. Throws the problem otherwise: see `code` and `detail`. */
export async function ok<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>
): Promise<Data> {
  const { data, error, response } = await call
  if (!response.ok) throw refusal(error as Problem | undefined, response)
  return data as Data
}

/** A problem as an error. A proxy may have answered in the place of the portal. */
export const refusal = (problem: Partial<Problem> | undefined, { status }: Response) =>
  Object.assign(new Error(problem?.detail ?? `The server answered ${status}.`), problem)

export async function problemOf(response: Response): Promise<Partial<Problem>> {
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  return isJson ? response.json() : {}
}
