import { signal } from '@preact/signals'
import type { components } from '../../../openapi/api.d.ts'
import { createConnection, otherUser } from '../../client/connection.ts'
import type { ProofRequest } from '../../client/connection.ts'
import { jsonOf, ok } from '../../client/refusals.ts'
import { authorized, bearer } from './bearer.ts'

export { ok, RejectedCall } from '../../client/refusals.ts'
export type Schemas = components['schemas']

/** An open dialog that asks the user to authenticate again with one of these methods. */
export const proofAsked = signal<(ProofRequest & { answer(isProved: boolean): void }) | undefined>(
  undefined
)

/** The id of the last request, by which the log of the server has it. */
export const lastRequest: { id?: string } = {}

/** Another user has signed in. The page may outlive its reload: then nothing is sent as them. */
export const page = { isForeign: false }

/** How many seconds a call waits because the device solves a challenge. */
export const solving = signal(0)

/** The worker that solves challenges is the only one, and comes from no file. */
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: object): void }
}
trustedTypes?.createPolicy('default', {
  createScriptURL: (url: string) => (url.startsWith('blob:') ? url : null)
})

export const client = createConnection({
  onWork(seconds) {
    solving.value = seconds
  },
  onProof: (request) =>
    new Promise<boolean>((resolve) => {
      proofAsked.value = { ...request, answer: resolve }
    }).finally(() => {
      proofAsked.value = undefined
    }),
  async fetch(request) {
    if (page.isForeign && !asksWho(request)) return otherUser()
    if (bearer.isUsed) return fetchAsOperator(request)
    return noted(await fetch(request))
  }
})

/** Calls of the portal, with the types of its API document. Wrap each in `ok`. */
export const { api: portal } = client

/** A value that the portal has stored, with its revision. */
export interface Saved<Value> {
  value: Value
  etag: string
}

/** Throws a RejectedCall if the response is a refusal. */
export async function savedFrom<Value>(
  call: Parameters<typeof ok<Value>>[0]
): Promise<Saved<Value>> {
  return { value: await ok(call), etag: (await call).response.headers.get('etag') ?? '*' }
}

/** Whether a request only asks who is signed in. */
const asksWho = ({ url }: Request) => new URL(url).pathname === '/api/auth/session'

function noted(response: Response) {
  const id = response.headers.get('x-request-id')
  if (id !== null) lastRequest.id = id
  return response
}

/** The console of an operator that does not answer, or does not know this page, has ended. */
async function fetchAsOperator(request: Request) {
  try {
    const response = noted(await fetch(authorized(request)))
    const hasEnded =
      !response.ok && (asksWho(request) || (await jsonOf(response)).code === 'console-ended')
    if (hasEnded) client.session.set(null)
    return response
  } catch (error) {
    if (!request.signal.aborted) client.session.set(null)
    throw error
  }
}

/** A JSON file of the page, such as one that the browser has begun to load for it. */
export async function readFile<Content>(address: string): Promise<Content> {
  const response = await fetch(address, { credentials: 'include' }) // as the browser asks for it
  return (await response.json()) as Content
}
