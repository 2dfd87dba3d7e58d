import { settingFormats } from '../domain/settings/formats.ts'
import type { SettingSchema } from '../common/settings.ts'

// The keywords that a schema of settings may use, and what each of them must be.

const common = ['type', 'title', 'description', 'default']
const ofType: Record<SettingSchema['type'], string[]> = {
  object: ['properties', 'additionalProperties', 'required'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['enum', 'minLength', 'maxLength', 'format'],
  number: ['enum', 'minimum', 'maximum'],
  integer: ['enum', 'minimum', 'maximum', 'multipleOf'],
  boolean: []
}

export const keywordsOf = (type: SettingSchema['type']) => [...common, ...ofType[type]]

type Mistake = [keyword: string, what: string]
const most = { title: 200, description: 1000, enum: 100, enumText: 100, text: 4000, items: 1000 }

/** What is wrong with the keywords of a schema, except with its subschemas and its default. */
export function* mistakesOf(schema: SettingSchema, level: number): Generator<Mistake> {
  for (const word of ['title', 'description'] as const) {
    const text = schema[word]
    const isText =
      typeof text === 'string' && text.length <= most[word] && !/[\p{Cc}\p{Cs}]/u.test(text)
    if (text !== undefined && !isText) {
      yield [word, `must be a text of at most ${most[word]} characters`]
    }
  }
  if (schema.type === 'object') yield* ofObject(schema, level)
  if (schema.type === 'array') yield* ofArray(schema)
  if (schema.type === 'string') yield* ofString(schema)
  if (schema.type === 'number' || schema.type === 'integer') yield* ofNumber(schema)
  if (schema.enum !== undefined && !isEnum(schema)) {
    yield [
      'enum',
      `must list 1 to ${most.enum} values of the type, and texts of at most ${most.enumText} ` +
        'characters, none twice'
    ]
  }
}

export function isEnum({ type, enum: values }: SettingSchema) {
  const fits = (value: unknown) =>
    type === 'string'
      ? typeof value === 'string' && value.length <= most.enumText && isPlain(value)
      : type === 'integer'
        ? Number.isInteger(value)
        : typeof value === 'number'
  return (
    Array.isArray(values) &&
    values.length >= 1 &&
    values.length <= most.enum &&
    values.every(fits) &&
    new Set(values).size === values.length
  )
}

/** Whether PostgreSQL can store a text. */
export const isPlain = (text: string) => text.isWellFormed() && !text.includes('\0')

function* ofObject(
  { properties, additionalProperties, required }: SettingSchema,
  level: number
): Generator<Mistake> {
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) {
    yield ['properties', 'must be an object of schemas']
    return
  }
  if (additionalProperties !== false) yield ['additionalProperties', 'must be false']
  if (required === undefined) return
  if (level === 1) {
    yield ['required', 'is for nested objects only: every user begins with an empty document']
  } else if (
    !Array.isArray(required) ||
    !required.every((name) => typeof name === 'string' && Object.hasOwn(properties, name)) ||
    new Set(required).size !== required.length
  ) {
    yield ['required', 'must list names of properties, none twice']
  }
}

const scalars: unknown[] = ['string', 'number', 'integer', 'boolean']

function* ofArray(schema: SettingSchema): Generator<Mistake> {
  const { items, minItems, maxItems, uniqueItems } = schema
  if (!isCount(maxItems, most.items)) {
    yield ['maxItems', `must be a whole number up to ${most.items}`]
  }
  if (minItems !== undefined && !isCount(minItems, maxItems)) {
    yield ['minItems', 'must be a whole number up to maxItems']
  }
  if (uniqueItems === undefined) return
  if (typeof uniqueItems !== 'boolean') yield ['uniqueItems', 'must be true or false']
  else if (uniqueItems && !scalars.includes(items?.type)) {
    yield ['uniqueItems', 'is for texts, numbers and booleans only']
  }
}

function* ofString(schema: SettingSchema): Generator<Mistake> {
  const { minLength, maxLength, format } = schema
  const isBounded = schema.enum !== undefined || format !== undefined
  if (maxLength === undefined ? !isBounded : !isCount(maxLength, most.text)) {
    yield ['maxLength', `must be a whole number up to ${most.text}`]
  }
  if (minLength !== undefined && !isCount(minLength, maxLength ?? most.text)) {
    yield ['minLength', 'must be a whole number up to maxLength']
  }
  if (format !== undefined && !Object.hasOwn(settingFormats, format)) {
    yield ['format', `must be one of ${Object.keys(settingFormats).join(', ')}`]
  }
}

function* ofNumber({ minimum, maximum, multipleOf }: SettingSchema): Generator<Mistake> {
  if (minimum !== undefined && typeof minimum !== 'number') yield ['minimum', 'must be a number']
  if (maximum !== undefined && typeof maximum !== 'number') yield ['maximum', 'must be a number']
  else if (maximum !== undefined && Number(minimum) > maximum) {
    yield ['maximum', 'must not be below minimum']
  }
  if (multipleOf !== undefined && !(Number.isInteger(multipleOf) && multipleOf > 0)) {
    yield ['multipleOf', 'must be a whole number above 0']
  }
}

const isCount = (value: unknown, max = Infinity) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max
