export const settingTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean'] as const

/** A JSON Schema of the keywords that src/config/settings-schema.ts accepts. */
export interface SettingSchema {
  type: (typeof settingTypes)[number]
  title?: string
  description?: string
  default?: unknown
  properties?: Record<string, SettingSchema>
  additionalProperties?: false
  required?: string[]
  items?: SettingSchema
  enum?: (string | number)[]
  format?: string
  minimum?: number
  maximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
}

export type SettingsSchemas = Record<'user' | 'app', SettingSchema>

type Document = Record<string, unknown>

/** A document with the defaults of what it leaves out, at every level. */
export function withDefaults(schema: SettingSchema, value: unknown): unknown {
  if (schema.items && Array.isArray(value)) {
    const { items } = schema
    return value.map((item) => withDefaults(items, item))
  }
  if (!schema.properties || typeof value !== 'object' || value === null) return value
  const filled: Document = { ...value }
  for (const [name, property] of Object.entries(schema.properties)) {
    const found = Object.hasOwn(filled, name)
      ? withDefaults(property, filled[name])
      : defaultOf(property)
    if (found !== undefined) filled[name] = found
  }
  return filled
}

/** Undefined without one. An object has one when a property of it has. */
export function defaultOf(schema: SettingSchema): unknown {
  if (schema.default !== undefined) return withDefaults(schema, schema.default)
  if (schema.type !== 'object' || (schema.required ?? []).length > 0) return undefined
  const filled = withDefaults(schema, {}) as Document
  return Object.keys(filled).length > 0 ? filled : undefined
}

/** The paths of the scalar properties, such as `limits.projects`. */
export function scalarPaths({ properties = {} }: SettingSchema, before = ''): string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    if (property.type === 'object') return scalarPaths(property, `${before}${name}.`)
    return property.type === 'array' ? [] : [before + name]
  })
}

/** The value at a path such as `limits.projects`; undefined where there is none. */
export function settingAt(document: Document | undefined, path: string): unknown {
  let value: unknown = document
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Document)[name]
  }
  return value
}

/** RFC 7396: null removes a property, and everything but an object is replaced. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Document = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(merged[name], value)
  }
  return merged
}

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
