import fc from 'fast-check'
import { password } from '../support/app.ts'

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

export const plain = fc.string({ unit: 'grapheme', maxLength: 30 })
export const nasty = fc.constantFrom(
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
export const junk = fc.oneof(
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
export function valid(
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
