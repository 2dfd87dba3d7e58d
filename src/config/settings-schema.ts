import { createRequire } from 'node:module'
import { settingsParts } from '../../db/schema/users.ts'
import type { SettingsPart } from '../../db/schema/users.ts'
import { settingTypes } from '../common/settings.ts'
import type { SettingSchema, SettingsSchemas } from '../common/settings.ts'
import { isStorable, settingFormats } from '../domain/settings/formats.ts'
import { readText } from '../domain/text-files.ts'

const limits = { bytes: 65_536, problems: 100, properties: 200 } as const
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
    const isLarge = countProperties(parts[part]) > limits.properties
    const mistakes = isLarge
      ? [`has more than ${limits.properties} properties`]
      : mistakesOf(parts[part])
    found.push(...mistakes.map((mistake) => `${part} ${mistake}`))
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

/** How many properties a schema has at all levels. */
function countProperties(value: unknown, level = 1): number {
  if (!isObject(value) || level > mostLevels) return 0
  const properties = isObject(value.properties) ? Object.values(value.properties) : []
  return [value.items, ...properties].reduce<number>(
    (sum, each) => sum + countProperties(each, level + 1),
    properties.length
  )
}

let checks: ReturnType<typeof createChecks> | undefined

/** Loads the library, which a portal without settings does not need. */
function createChecks() {
  const { Ajv } = createRequire(import.meta.url)('ajv') as typeof import('ajv')
  const common = { allErrors: true, verbose: true, meta: false, validateSchema: false }
  const forms = new Ajv({ ...common, $data: true, discriminator: true, strictTypes: false })
  const settings = new Ajv({ ...common, strict: true, formats: settingFormats })
  const isPart = forms.compile(partForm)
  return {
    violations: (part: unknown) => (isPart(part) ? [] : ((isPart.errors ?? []) as Violation[])),
    accepts: (schema: object, value: unknown) =>
      settings.compile(schema)(value) && isStorable(value)
  }
}

/**
 * Every mistake of a part. A default is judged if nothing else is wrong in its schema: otherwise
 * nobody knows what the schema accepts.
 */
function mistakesOf(part: unknown) {
  checks ??= createChecks()
  const { violations, accepts } = checks
  const found = violations(part).flatMap((each) => {
    const mistake = explainForm(each)
    return mistake ? [mistake] : []
  })
  const judge = (schema: unknown, pointer: string, level = 1) => {
    if (!isObject(schema) || level > mostLevels) return
    const properties = isObject(schema.properties) ? schema.properties : {}
    judge(schema.items, `${pointer}/items`, level + 1)
    for (const [name, property] of Object.entries(properties)) {
      if (nameForm.test(name)) judge(property, `${pointer}/properties/${name}`, level + 1)
    }
    const { required = [] } = schema
    const isKnown = (name: unknown) => Object.hasOwn(properties, String(name))
    if (Array.isArray(required) && !required.every(isKnown)) {
      found.push([`${pointer}/required`, 'must list names of properties'])
    }
    const isWrong = found.some(([at]) => `${at}/`.startsWith(`${pointer}/`))
    if (schema.default !== undefined && !isWrong && !accepts(schema, schema.default)) {
      found.push([`${pointer}/default`, 'is not valid'])
    }
  }
  judge(part, '')
  return [...new Set(found.map(([pointer, what]) => `${pointer || '/'} ${what}`))]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// The JSON Schema of a schema of settings. Its limits bound the work of a validation, and keep the
// properties of a document independent of each other: reading leaves out one without the others.

const mostLevels = 5
const nameForm = /^(?!(constructor|prototype)$)[a-z][A-Za-z0-9]{0,39}$/
const storable = '^[^\\0\\p{Cs}]*$'
const text = (maxLength: number, pattern = '^[^\\p{Cc}\\p{Cs}]*$') => ({
  ...{ type: 'string', maxLength, pattern }
})
const count = (maximum: number | object, minimum = 0) => ({ type: 'integer', minimum, maximum })
const number = (bounds = {}) => ({ type: 'number', ...bounds })
const list = (items: object) => ({
  ...{ type: 'array', minItems: 1, maxItems: 100, uniqueItems: true, items }
})
/** The value of the property of this name, beside the present one. */
const beside = (name: string) => ({ $data: `1/${name}` })

const form = (type: SettingSchema['type'], properties: object, more: object = {}) => ({
  properties: {
    ...{ type: { const: type }, title: text(200), description: text(1000), default: {} },
    ...properties
  },
  additionalProperties: false,
  ...more
})

const objectForm = (level: number) => ({
  ...form(
    'object',
    {
      properties: {
        type: 'object',
        propertyNames: { pattern: nameForm.source },
        additionalProperties: { $ref: `#/$defs/level${level + 1}` }
      },
      additionalProperties: { const: false },
      // Every user begins with an empty document.
      ...(level > 1 && {
        required: { type: 'array', items: { type: 'string' }, uniqueItems: true }
      })
    },
    { required: ['properties', 'additionalProperties'] }
  )
})

const schemaForm = (level: number) => ({
  ...{ type: 'object', required: ['type'], discriminator: { propertyName: 'type' } },
  oneOf: [
    objectForm(level),
    form(
      'array',
      {
        items: { $ref: `#/$defs/level${level + 1}` },
        ...{ minItems: count(beside('maxItems')), maxItems: count(1000) },
        uniqueItems: { type: 'boolean' }
      },
      {
        required: ['items', 'maxItems'],
        // To compare lists or objects takes long.
        if: { required: ['uniqueItems'], properties: { uniqueItems: { const: true } } },
        then: {
          properties: {
            items: { properties: { type: { enum: ['string', 'number', 'integer', 'boolean'] } } }
          }
        }
      }
    ),
    form(
      'string',
      {
        ...{ enum: list(text(100, storable)), format: { enum: Object.keys(settingFormats) } },
        ...{ minLength: count(beside('maxLength')), maxLength: count(4000) }
      },
      { if: { properties: { enum: false, format: false } }, then: { required: ['maxLength'] } }
    ),
    ...(['number', 'integer'] as const).map((type) =>
      form(type, {
        enum: list({ type }),
        ...{ minimum: number(), maximum: number({ minimum: beside('minimum') }) },
        ...(type === 'integer' && { multipleOf: { type, minimum: 1 } })
      })
    ),
    form('boolean', {})
  ]
})

/** The form of one part of the file. */
const partForm = {
  ...objectForm(1),
  ...{ type: 'object', required: ['type', 'properties', 'additionalProperties'] },
  $defs: {
    ...Object.fromEntries(
      Array.from({ length: mostLevels - 1 }, (_, n) => [`level${n + 2}`, schemaForm(n + 2)])
    ),
    [`level${mostLevels + 1}`]: false
  }
}

/** An error of Ajv, with `verbose`. */
interface Violation {
  keyword: string
  message?: string
  propertyName?: string
  instancePath: string
  params: Record<string, unknown>
  parentSchema?: { properties?: object }
}

/** A word from the file, unless it could be anything. */
const shown = (keyword: unknown) =>
  /^[$\w-]{1,40}$/.test(String(keyword)) ? keyword : 'that is unknown'

/** Where the form is violated, and how, without values. None for what another violation says. */
function explainForm(violation: Violation): [pointer: string, what: string] | undefined {
  const { keyword, propertyName, params, parentSchema = {}, instancePath: at } = violation
  const isTag = params.missingProperty === 'type' && 'discriminator' in parentSchema
  const isNamed = /^[\w/]*$/.test(at) // the name of a property is reported
  if (!isNamed || propertyName !== undefined || keyword === 'if' || isTag) return undefined
  if (keyword === 'discriminator') {
    return [`${at}/type`, `must be one of ${settingTypes.join(', ')}`]
  }
  return [at, describe(violation)]
}

function describe({ keyword, message = 'is not valid', params, parentSchema }: Violation) {
  switch (keyword) {
    case 'additionalProperties': {
      const known = Object.keys(parentSchema?.properties ?? {}).join(', ')
      return `has the keyword ${shown(params.additionalProperty)}. Here there are ${known}`
    }
    case 'propertyNames':
      return (
        'has a name that is not 1 to 40 letters and digits, beginning with a lowercase letter ' +
        '(or is constructor or prototype)'
      )
    case 'required':
      return `needs the keyword ${String(params.missingProperty)}`
    case 'false schema':
      return `is deeper than ${mostLevels} levels`
    case 'enum':
      return `must be one of ${(params.allowedValues as string[]).join(', ')}`
    case 'const':
      return `must be ${String(params.allowedValue)}`
    case 'pattern':
      return 'must have no control characters and no unpaired surrogates'
    default:
      return message
  }
}
