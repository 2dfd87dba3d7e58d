import { headers, patchTypes, plainText, publishedPlainText } from '../../schemas/primitives.ts'
import { describeTags, inOrder } from './operation-tags.ts'
import { shareResponses } from './shared-responses.ts'
import type { Operation as Responding } from './shared-responses.ts'

interface Node {
  [name: string]: unknown
}
interface Parameter {
  in: string
  name: string
  required?: boolean
  schema: { format?: string }
  example?: unknown
}
type Operation = Responding & {
  parameters?: Parameter[]
  tags?: string[]
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> }
}
interface Document {
  paths?: object
  tags?: object[]
  components?: { schemas?: object; headers?: object; responses?: object }
}

/**
 * The document as clients and their generators need it: schemas that all of them can read, headers
 * that every response has, each common refusal once, and only the components that an operation
 * refers to.
 */
export function finalizeDocument<T extends Document>(
  document: T,
  tags?: Readonly<Record<string, string>>
): T {
  const paths = inOrder(document.paths as Record<string, Record<string, Operation>>)
  document.paths = paths
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  document.tags = describeTags(
    operations.flatMap(({ tags = [] }) => tags),
    tags
  )
  for (const response of operations.flatMap(({ responses }) => Object.values(responses))) {
    response.headers = { ...response.headers, ...requestId }
  }
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    if (isUnknown(parameter)) delete parameter.example
  }
  document.components = {
    ...document.components,
    headers: { RequestId: asHeader(headers.requestId['X-Request-Id']) },
    responses: shareResponses(operations)
  }
  const portable = toPortable(document) as T
  completeBodies(portable)
  removeUnused(portable)
  return portable
}

/**
 * The reference page sends the example of a parameter by default. No example of an id, a filter or
 * an ETag would match the data of a real portal.
 */
const isUnknown = ({ in: place, name, required, schema }: Parameter) =>
  (place === 'query' && !required) || name === 'if-match' || schema.format === 'uuid'

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }
const asHeader = ({ description, ...schema }: { description: string }) => ({ description, schema })

/** Keywords whose value is data, not a schema. */
const data = new Set(['example', 'examples', 'enum', 'const', 'default'])
/** Keywords that stay beside the alternatives of a union. */
const ofUnion = new Set(['description', 'examples', 'default'])
const numbers = ['number', 'integer']
/** The types that keywords are for. The others are for every type. */
const typesOf: Record<string, string[]> = {
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  minimum: numbers,
  maximum: numbers,
  properties: ['object'],
  required: ['object'],
  additionalProperties: ['object'],
  maxProperties: ['object'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array']
}
const isFor = (type: string, keyword: string, value: unknown) =>
  keyword === 'format'
    ? (value === 'int32' ? 'integer' : 'string') === type
    : (typesOf[keyword]?.includes(type) ?? true)

function toPortable(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(toPortable)
  if (part === null || typeof part !== 'object') return part
  const { 'x-published': published, ...own } = part as Node
  const node = Object.fromEntries(
    Object.entries({ ...own, ...(published as Node | undefined) }).map(([name, value]) => [
      name,
      data.has(name) ? value : toPortable(value)
    ])
  )
  if (node.pattern === plainText) node.pattern = publishedPlainText
  return Array.isArray(node.type) && node.enum === undefined ? union(node, node.type) : node
}

/** Generators misread keywords beside several types, so each type becomes an alternative. */
function union(schema: Node, types: string[]) {
  const pick = (wanted: (name: string, value: unknown) => boolean) =>
    Object.fromEntries(Object.entries(schema).filter(([name, value]) => wanted(name, value)))
  return {
    ...pick((name) => ofUnion.has(name)),
    anyOf: types.map((type) => ({
      type,
      ...pick((name, value) => name !== 'type' && !ofUnion.has(name) && isFor(type, name, value))
    }))
  }
}

/**
 * Names every media type of a body, with an example: collections for sending requests are made of
 * these, and do not read those of the schemas.
 */
function completeBodies({ paths, components }: Document) {
  for (const path of Object.values(paths as Record<string, Record<string, Operation>>)) {
    for (const [method, { requestBody }] of Object.entries(path)) {
      if (!requestBody) continue
      const schemas = (components?.schemas ?? {}) as Parameters<typeof exampleOf>[1]
      for (const media of Object.values(requestBody.content)) {
        media.example ??= exampleOf(media.schema, schemas)
      }
      const json = requestBody.content['application/json']
      if (method !== 'patch' || !json) continue
      requestBody.content = Object.fromEntries(patchTypes.map((type) => [type, json]))
    }
  }
}

/** Removes the components that no operation refers to, such as those of the admin API. */
function removeUnused({ paths, components }: Document) {
  const schemas = (components?.schemas ?? {}) as Node
  const used = new Set<string>()
  const collect = (part: unknown) => {
    const references = JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)
    for (const [, name = ''] of references) {
      if (used.has(name)) continue
      used.add(name)
      collect(schemas[name])
    }
  }
  collect([paths, components?.responses])
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name]
}

interface Schema {
  $ref?: string
  type?: string | string[]
  examples?: unknown[]
  default?: unknown
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
}
type Schemas = Record<string, Schema>

const ofType: Record<string, (schema: Schema, schemas: Schemas) => unknown> = {
  object({ properties = {}, required = [] }, schemas) {
    const names = required.length > 0 ? required : Object.keys(properties)
    return Object.fromEntries(
      names.flatMap((name) => {
        const schema = properties[name]
        return schema ? [[name, exampleOf(schema, schemas)]] : []
      })
    )
  },
  array: ({ items }, schemas) => (items ? [exampleOf(items, schemas)] : []),
  integer: ({ minimum }) => minimum ?? 1,
  number: ({ minimum }) => minimum ?? 1,
  boolean: () => true,
  string: () => 'text',
  null: () => null
}

/**
 * A value of a schema: its own example, or one made of those of its parts. A merge patch, which
 * requires nothing, has every property.
 */
function exampleOf(schema: Schema, schemas: Schemas): unknown {
  const { $ref, examples, enum: values, anyOf, allOf, type } = schema
  if ($ref !== undefined) return exampleOf(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas)
  if (examples) return examples[0]
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (values) return values[0]
  if (anyOf?.[0]) return exampleOf(anyOf[0], schemas)
  if (allOf) {
    return Object.assign({}, ...allOf.map((part) => exampleOf(part, schemas) as object)) as object
  }
  return ofType[[type].flat()[0] ?? '']?.(schema, schemas)
}
