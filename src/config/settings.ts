import { settingsParts } from '../../db/schema/users.ts'
import type { SettingsPart } from '../../db/schema/users.ts'
import { settingFormats } from '../domain/settings/formats.ts'
import { settingTypes } from '../domain/settings/schema.ts'
import type { SettingSchema, SettingsSchemas } from '../domain/settings/schema.ts'
import { readText } from '../domain/text-files.ts'
import { isEnum, isPlain, keywordsOf, mistakesOf } from './settings-keywords.ts'

// The file of SETTINGS_SCHEMA. Its keywords bound the work of a validation, and keep the properties
// of a document independent of each other: reading leaves out one without the others.

const limits = { bytes: 65_536, problems: 100, properties: 200, levels: 5 } as const
const nameForm = /^[a-z][A-Za-z0-9]{0,39}$/
const forbidden = ['constructor', 'prototype']
const empty: SettingSchema = { type: 'object', additionalProperties: false, properties: {} }

/**
 * Reads the file of SETTINGS_SCHEMA.
 * @param problems receives every mistake, by part and JSON Pointer, without values
 */
export function readSettingsSchemas(file: string, problems: string[]): SettingsSchemas | undefined {
  const parts = readParts(file)
  if (typeof parts === 'string') {
    problems.push(`SETTINGS_SCHEMA ${parts}`)
    return undefined
  }
  const found: string[] = []
  const unknown = Object.keys(parts).some((name) => !settingsParts.some((part) => part === name))
  if (unknown) found.push(`has only these parts: ${settingsParts.join(', ')}`)
  for (const part of settingsParts) {
    if (parts[part] === undefined) continue
    const before = found.length
    const budget = { properties: limits.properties }
    const say = (pointer: string, what: string) => found.push(`${part} ${pointer || '/'} ${what}`)
    checkSchema(parts[part], '', 1, budget, say)
    if (budget.properties < 0) {
      found.splice(before, Infinity, `${part} has more than ${limits.properties} properties`)
    }
  }
  problems.push(...found.slice(0, limits.problems).map((each) => `SETTINGS_SCHEMA ${each}`))
  return found.length > 0
    ? undefined
    : ({ user: parts.user ?? empty, app: parts.app ?? empty } as SettingsSchemas)
}

/** The parts, or what the file must be. */
function readParts(file: string): Partial<Record<SettingsPart, unknown>> | string {
  let content: string
  try {
    content = readText(file)
  } catch (error) {
    return `names a file that ${(error as Error).message}`
  }
  if (Buffer.byteLength(content) > limits.bytes) {
    return `must name a file of at most ${limits.bytes} bytes`
  }
  try {
    const value: unknown = JSON.parse(content)
    if (isObject(value)) return value
  } catch {}
  return 'must name a file with a JSON object'
}

type Say = (pointer: string, what: string) => void

function checkSchema(
  value: unknown,
  pointer: string,
  level: number,
  budget: { properties: number },
  say: Say
) {
  if (level > limits.levels) return say(pointer, `is deeper than ${limits.levels} levels`)
  if (!isObject(value)) return say(pointer, 'must be a schema, an object')
  const schema = value as Partial<SettingSchema>
  const type = settingTypes.find((each) => each === schema.type)
  if (!type) return say(`${pointer}/type`, `must be one of ${settingTypes.join(', ')}`)
  if (level === 1 && type !== 'object') return say(`${pointer}/type`, 'must be object')
  const allowed = keywordsOf(type)
  for (const keyword of Object.keys(value)) {
    if (!allowed.includes(keyword)) {
      say(pointer, `has the keyword ${shown(keyword)}. For ${type} there are ${allowed.join(', ')}`)
    }
  }
  for (const [keyword, what] of mistakesOf(schema as SettingSchema, level)) {
    say(`${pointer}/${keyword}`, what)
  }
  if (schema.default !== undefined && !accepts(schema, schema.default)) {
    say(`${pointer}/default`, 'is not valid')
  }
  if (type === 'array') checkSchema(schema.items, `${pointer}/items`, level + 1, budget, say)
  if (type !== 'object' || !isObject(schema.properties)) return
  for (const [name, property] of Object.entries(schema.properties)) {
    budget.properties -= 1
    if (budget.properties < 0) return
    if (!nameForm.test(name) || forbidden.includes(name)) {
      say(
        `${pointer}/properties`,
        'has a name that is not 1 to 40 letters and digits, beginning with a lowercase letter ' +
          `(or is ${forbidden.join(' or ')})`
      )
    } else checkSchema(property, `${pointer}/properties/${name}`, level + 1, budget, say)
  }
}

/** A word from the file, unless it could be anything. */
const shown = (keyword: string) => (/^[$\w-]{1,40}$/.test(keyword) ? keyword : 'that is unknown')

/**
 * Whether a schema accepts a value. What is wrong in the schema itself is ignored, so that invalid
 * defaults are reported together with all other mistakes of a file. Stored settings are checked by
 * a library, which cannot compile such a schema; a test compares the two.
 */
function accepts(schema: unknown, value: unknown): boolean {
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
