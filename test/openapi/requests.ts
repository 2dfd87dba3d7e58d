import fc from 'fast-check'
import { junk, nasty, plain, valid } from './values.ts'
import type { Schema } from './values.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}
interface Operation {
  'x-access': string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export interface Request {
  method: string
  path: string
  /** A path parameter: text, or the index of an existing value. */
  params: Record<string, string | number>
  query: [name: string, value: string][]
  headers: Record<string, string>
  /** Undefined for no body. */
  body: string | undefined
}

const types = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=latin1',
  ''
)
const strange = fc.dictionary(
  fc.constantFrom(
    'if-match',
    'if-none-match',
    'origin',
    'sec-fetch-site',
    'content-encoding',
    'expect',
    'x-forwarded-for',
    'user-agent',
    'accept',
    'range',
    'host',
    'authorization'
  ),
  fc.oneof(
    fc.constantFrom(
      '*',
      '"1.1"',
      'W/"1"',
      'null',
      'same-origin',
      'cross-site',
      'gzip',
      '0',
      'evil.example',
      'bytes=0-1'
    ),
    fc.stringMatching(/^[\x20-\x7e]{0,40}$/)
  ),
  { maxKeys: 2 }
)

/** Requests to every operation of the document, half of them valid and half with a deviation. */
export function requestsOf({ paths, components: { schemas } }: Document): fc.Arbitrary<Request> {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation
    }))
  )
  return fc.constantFrom(...operations).chain(({ path, method, parameters = [], requestBody }) => {
    const inPlace = (place: Parameter['in']) =>
      parameters.filter((parameter) => parameter.in === place)
    const values = (place: Parameter['in']) =>
      fc.record(
        Object.fromEntries(
          inPlace(place).map(({ name, schema }) => [name, valid(schema, schemas, name).map(String)])
        ),
        {
          requiredKeys: inPlace(place)
            .filter(({ required }) => required)
            .map(({ name }) => name)
        }
      )
    const params = fc.record(
      Object.fromEntries(
        inPlace('path').map(({ name, schema }) => [
          name,
          fc.oneof(
            { weight: 3, arbitrary: fc.nat(1000) },
            { weight: 1, arbitrary: valid(schema, schemas, name).map(String) }
          )
        ])
      )
    )
    const schema = Object.values(requestBody?.content ?? {})[0]?.schema
    const body = schema
      ? valid(schema, schemas).map((value) => JSON.stringify(value))
      : fc.constant(undefined)
    const asSaid = fc.record({
      method: fc.constant(method),
      path: fc.constant(path),
      params,
      query: values('query').map((query) => Object.entries(query)),
      headers:
        body === undefined
          ? fc.constant({})
          : fc.constant<Record<string, string>>({ 'content-type': 'application/json' }),
      body
    })
    return fc.oneof(
      asSaid,
      fc
        .tuple(asSaid, fc.array(breakage, { minLength: 1, maxLength: 3 }))
        .map(([request, breakages]) =>
          breakages.reduce((broken, each) => each(broken), request as Request)
        )
    )
  })
}

type Breakage = (request: Request) => Request

/** Deviations from the document. */
const breakage: fc.Arbitrary<Breakage> = fc.oneof(
  fc.tuple(fc.nat(20), junk).map(
    ([at, value]): Breakage =>
      (request) =>
        withBody(request, (body) =>
          Object.fromEntries(
            Object.entries(body).map(([key, old], i) => [
              key,
              i === at % Object.keys(body).length ? value : old
            ])
          )
        )
  ),
  fc.nat(20).map(
    (at): Breakage =>
      (request) =>
        withBody(request, (body) =>
          Object.fromEntries(
            Object.entries(body).filter((_, i) => i !== at % Object.keys(body).length)
          )
        )
  ),
  fc.tuple(fc.oneof(nasty, plain), junk).map(
    ([key, value]): Breakage =>
      (request) =>
        withBody(request, (body) => ({ ...body, [key]: value }))
  ),
  junk.map((value): Breakage => (request) => ({ ...request, body: JSON.stringify(value) ?? '' })),
  fc.nat(100).map((length): Breakage => (request) => ({
    ...request,
    body: request.body?.slice(0, length)
  })),
  types.map((type): Breakage => (request) => ({
    ...request,
    headers: { ...request.headers, 'content-type': type }
  })),
  strange.map((headers): Breakage => (request) => ({
    ...request,
    headers: { ...request.headers, ...headers }
  })),
  fc
    .tuple(
      fc.oneof(nasty, plain, fc.constantFrom('limit', 'cursor', 'sort', 'q')),
      fc.oneof(nasty, plain)
    )
    .map(([name, value]): Breakage => (request) => ({
      ...request,
      query: [...request.query, [name, value]]
    })),
  fc.oneof(nasty, plain).map((value): Breakage => (request) => ({
    ...request,
    params: Object.fromEntries(Object.keys(request.params).map((name) => [name, value]))
  }))
)

function withBody(request: Request, change: (body: Record<string, unknown>) => unknown): Request {
  const body: unknown = request.body === undefined ? {} : parse(request.body)
  return body !== null && typeof body === 'object'
    ? { ...request, body: JSON.stringify(change(body as Record<string, unknown>)) }
    : request
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
