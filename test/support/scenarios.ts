import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'

// Tables of calls: each row is a request and what comes back. A failure names the row.

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Request = `${Method} ${string}`
type Call = (
  method: Method,
  url: string,
  body?: object,
  headers?: InjectOptions['headers']
) => Promise<LightMyRequestResponse>

/**
 * The part of a body that a row names: the code of a problem; the mistakes in fields, each as
 * "/pointer code" and all of them; or an object that the body has to match.
 */
type Part = string | readonly string[] | Readonly<Record<string, unknown>>

export type Scenario = readonly [
  name: string,
  request: Request,
  body: object | undefined,
  status: number,
  part?: Part,
  headers?: InjectOptions['headers']
]

/** Sends the request of each row, one after the other. */
export async function scenarios(t: Test, call: Call, rows: readonly Scenario[]) {
  for (const [name, request, body, status, part, headers] of rows) {
    const [method = '', url = ''] = request.split(/ (.*)/)
    const response = await call(method as Method, url, body, headers)
    const { statusCode } = response
    const row = `${name}: ${request}`
    if (part === undefined) t.equal(statusCode, status, row)
    else if (typeof part === 'string' || isList(part)) {
      t.same([statusCode, ...namedIn(response.json(), part)], [status, ...[part].flat()], row)
    } else {
      t.match({ statusCode, body: response.json() }, { statusCode: status, body: part }, row)
    }
  }
}

const isList = (part: Part): part is readonly string[] => Array.isArray(part)

/** Mistakes in fields if the row has some, which have a space; otherwise the code. */
function namedIn({ code, errors = [] }: Problem, part: string | readonly string[]) {
  if (!isList(part) && !part.includes(' ')) return [code]
  return errors.map((error) => `${error.pointer} ${error.code}`)
}
interface Problem {
  code?: string
  errors?: { pointer: string; code: string }[]
}

/** Sends one request with the body of each row, whose mistakes are rejected by their fields. */
export const rejects = (
  t: Test,
  call: Call,
  request: Request,
  rows: readonly (readonly [name: string, body: object, mistakes: string | readonly string[]])[]
) =>
  scenarios(
    t,
    call,
    rows.map(([name, body, mistakes]) => [name, request, body, 400, mistakes])
  )

/** Sends each of these queries to a list, with its parameter and the code of the mistake. */
export const rejectsQueries = (
  t: Test,
  call: Call,
  path: string,
  rows: readonly (readonly [query: string, mistake: string])[]
) =>
  scenarios(
    t,
    call,
    rows.map(([query, mistake]) => [query, `GET ${path}?${query}`, undefined, 400, mistake])
  )

/** The `call` of a caller without a session. */
export const callOf =
  (app: FastifyInstance): Call =>
  (method, url, body, headers = {}) =>
    app.inject({ method, url, headers, ...(body && { payload: body }) })
