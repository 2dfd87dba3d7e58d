import AjvCompiler from '@fastify/ajv-compiler'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyServerOptions } from 'fastify'

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>
type Factory = NonNullable<NonNullable<SchemaController['compilersFactory']>['buildValidator']>
type Schemas = Parameters<ReturnType<typeof AjvCompiler>>[0]
/** The argument that Fastify passes to a compiler; the types of the package omit `httpPart`. */
interface RoutePart {
  schema: object
  httpPart?: string
}
interface Validate {
  (value: unknown): boolean
  errors?: unknown[] | null
}

const build = AjvCompiler()
const kept = cachedBySchema<Validate>()
// All errors, so that a form shows every mistake at once. A request is small, and no keyword of the
// schemas takes more than linear time, so the work stays bounded; src/http/field-errors.ts bounds
// the response.
export const customOptions = {
  removeAdditional: false,
  useDefaults: true,
  coerceTypes: false,
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  keywords: ['x-published'] as string[], // only for the document
  // The linters of the API document check the schemas. Ajv would take a twentieth of a start.
  meta: false,
  validateSchema: false
} as const

/** Validates without coercion, except for what a query or path cannot say: integers and lists. */
export const buildValidator = ((schemas: Schemas) => {
  const keep = kept(schemas)
  return (part: RoutePart) => {
    const validate = whenNeeded(() =>
      keep(part.schema, () => build(schemas, { customOptions })(part as never) as Validate)
    )
    return part.httpPart === 'body' ? validate : withTypes(part.schema, validate)
  }
}) as unknown as Factory

/**
 * Compiles a schema with its first value: compiling all takes a tenth of a start. Even to find the
 * compiler among those that exist takes some time, because all shared schemas are its key.
 */
function whenNeeded(compile: () => Validate): Validate {
  let compiled: Validate | undefined
  const validate: Validate = (value) => {
    compiled ??= compile()
    const valid = compiled(value)
    validate.errors = compiled.errors ?? null
    return valid
  }
  return validate
}

/** A validator for input in the format of a body that is not part of a request. */
export const compileBody = (schema: TSchema, components: TSchema[]) =>
  build(Object.fromEntries(components.map((component) => [component.$id, component])), {
    customOptions
  })({ schema } as never) as Validate

/**
 * Parses integers and wraps a parameter that may be repeated before validation. Ajv's own coercion
 * also accepts `1e309`, `0x10` and ` 10`, and does not compare infinite values with `minimum` and
 * `maximum`. Everything else stays a string, which the schema rejects.
 */
function withTypes(schema: object, validate: Validate): Validate {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> }
  const namesOf = (type: string) =>
    Object.keys(properties).filter((name) => properties[name]?.type === type)
  const [integers, lists] = [namesOf('integer'), namesOf('array')]
  if (integers.length + lists.length === 0) return validate
  const check: Validate = (value) => {
    const fields = value as Record<string, unknown>
    for (const name of integers) {
      const text = fields[name]
      if (typeof text === 'string' && /^\d+$/.test(text)) fields[name] = Number(text)
    }
    for (const name of lists) if (typeof fields[name] === 'string') fields[name] = [fields[name]]
    const valid = validate(value)
    check.errors = validate.errors ?? null
    return valid
  }
  return check
}

/**
 * Keeps functions by the text of their schema and of those that it can refer to. Equal schemas
 * share one: the refusals of many routes, and the applications of one process.
 */
export function cachedBySchema<Compiled>() {
  const kept = new Map<string, Map<string, Compiled>>()
  // The text takes a millisecond, and all scopes of an application have the same object.
  const known = new WeakMap<object, Map<string, Compiled>>()
  const keptWith = (shared: object) => {
    const found = known.get(shared)
    if (found) return found
    const text = JSON.stringify(shared)
    const own = kept.get(text) ?? new Map<string, Compiled>()
    kept.set(text, own)
    known.set(shared, own)
    return own
  }
  return (shared: object) =>
    (schema: unknown, compile: () => Compiled): Compiled => {
      const own = keptWith(shared)
      const text = JSON.stringify(schema)
      const compiled = own.get(text) ?? compile()
      own.set(text, compiled)
      return compiled
    }
}
