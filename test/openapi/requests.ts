import fc from 'fast-check'
import { password } from '../helpers.ts'

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  items?: Schema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minProperties?: number
  pattern?: string
  format?: string
  examples?: unknown[]
}
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

const plain = fc.string({ unit: 'grapheme', maxLength: 30 })
const nasty = fc.constantFrom(
  '\0',
  '\ud800',
  '\u202e',
  '../',
  "' or 1=1 --",
  '%00',
  '\r\nx: y',
  '${x}', // eslint-disable-line no-template-curly-in-string
  '<b>',
  '__proto__',
  'constructor',
  '\u001b[2J',
  '9'.repeat(400),
  'x'.repeat(3000),
  ''
)
/** Undeclared values. */
const junk = fc.oneof(
  nasty,
  plain,
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double(),
  fc.constantFrom<unknown>([], {}, [[]], -0, 1e308, 2 ** 53),
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(nasty, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
)

/** Values that match a schema of the document, or its examples if others are not known to match. */
function valid(
  schema: Schema,
  components: Record<string, Schema>,
  name = '',
  depth = 0
): fc.Arbitrary<unknown> {
  const of = (child: Schema, childName = '') => valid(child, components, childName, depth + 1)
  if (schema.$ref) return of(components[schema.$ref.split('/').at(-1) ?? ''] ?? {}, name)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => of(each, name)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => of({ ...schema, type }, name)))
  }
  switch (schema.type) {
    case 'string':
      return text(schema, name)
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? -1000,
        max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1)
      })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(of(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3)
      })
    case 'object': {
      const properties = Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, child]) => [key, of(child, key)])
      )
      const [values] = [
        schema.patternProperties
          ? Object.values(schema.patternProperties)[0]
          : schema.additionalProperties
      ]
      if (Object.keys(properties).length === 0 && values && depth < 6) {
        return fc.dictionary(
          fc.stringMatching(/^[a-z]{1,8}$/),
          values === true ? fc.jsonValue({ maxDepth: 2 }) : of(values),
          { maxKeys: 4 }
        )
      }
      return fc.record(properties, {
        requiredKeys: (schema.required ?? []).filter((key) => key in properties)
      })
    }
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function text(
  { pattern, format, minLength = 0, maxLength = 60, examples = [] }: Schema,
  name: string
): fc.Arbitrary<string> {
  if (name === 'email') return fc.uuid().map((id) => `${id}@example.com`)
  if (/password/i.test(name)) return fc.constantFrom(password, 'another horse battery')
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time') {
    return fc
      .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString())
  }
  const fits = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const free = fc
    .string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 60) })
    .filter(
      (value) =>
        [...value].length <= maxLength &&
        [...value].length >= minLength &&
        (fits?.test(value) ?? true)
    )
  const known = examples.length > 0 ? [fc.constantFrom(...(examples as string[]))] : []
  if (pattern?.includes('\\p{')) return fc.oneof(...known, free)
  return pattern === undefined
    ? fc.oneof(...known, free)
    : fc.oneof(
        ...known,
        fc
          .stringMatching(new RegExp(pattern))
          .filter((value) => value.length >= minLength && value.length <= maxLength)
      )
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
  fc
    .nat(100)
    .map((length): Breakage => (request) => ({ ...request, body: request.body?.slice(0, length) })),
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
