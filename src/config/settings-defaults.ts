import { settingFormats } from '../domain/settings/formats.ts'
import type { SettingSchema } from '../domain/settings/schema.ts'
import { isEnum, isPlain } from './settings-keywords.ts'

/**
 * Whether a schema accepts a value. What is wrong in the schema itself is ignored, so that invalid
 * defaults are reported together with all other mistakes of a file. Stored settings are checked by
 * a library, which cannot compile such a schema; a test compares the two.
 */
export function accepts(schema: unknown, value: unknown): boolean {
  if (!isObject(schema)) return true
  const known = schema as unknown as SettingSchema
  switch (known.type) {
    case 'object':
      return acceptsObject(known, value)
    case 'array':
      return acceptsList(known, value)
    case 'string':
      return typeof value === 'string' && isPlain(value) && acceptsText(known, value)
    case 'number':
    case 'integer':
      return typeof value === 'number' && acceptsNumber(known, value)
    case 'boolean':
      return typeof value === 'boolean'
    default:
      return true
  }
}

function acceptsObject({ properties, required }: SettingSchema, value: unknown) {
  if (!isObject(value)) return false
  if (Array.isArray(required) && !required.every((name) => Object.hasOwn(value, name))) return false
  return (
    !isObject(properties) ||
    Object.entries(value).every(
      ([name, each]) => Object.hasOwn(properties, name) && accepts(properties[name], each)
    )
  )
}

function acceptsList({ items, minItems, maxItems, uniqueItems }: SettingSchema, value: unknown) {
  return (
    Array.isArray(value) &&
    isWithin(value.length, minItems, maxItems) &&
    !(uniqueItems === true && new Set(value).size < value.length) &&
    value.every((each) => accepts(items, each))
  )
}

function acceptsText(schema: SettingSchema, value: string) {
  const { minLength, maxLength, format = '' } = schema
  const isOfFormat = Object.hasOwn(settingFormats, format) ? settingFormats[format] : undefined
  return (
    isListed(schema, value) &&
    isWithin([...value].length, minLength, maxLength) &&
    isOfFormat?.(value) !== false
  )
}

function acceptsNumber(schema: SettingSchema, value: number) {
  const { type, minimum, maximum, multipleOf } = schema
  return (
    (type === 'integer' ? Number.isInteger(value) : Number.isFinite(value)) &&
    isListed(schema, value) &&
    isWithin(value, minimum, maximum) &&
    !(Number(multipleOf) > 0 && value % Number(multipleOf) !== 0)
  )
}

const isListed = (schema: SettingSchema, value: string | number) =>
  schema.enum === undefined || !isEnum(schema) || schema.enum.includes(value)

const isWithin = (value: number, min: unknown, max: unknown) =>
  !(typeof min === 'number' && value < min) && !(typeof max === 'number' && value > max)

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
