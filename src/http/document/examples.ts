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
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
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
