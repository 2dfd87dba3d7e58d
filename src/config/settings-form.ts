import { settingFormats } from '../domain/settings/formats.ts'
import { settingTypes } from '../common/settings.ts'
import type { SettingSchema } from '../common/settings.ts'

// The JSON Schema of a schema of settings. Its limits bound the work of a validation, and keep the
// properties of a document independent of each other: reading leaves out one without the others.

export const mostLevels = 5
export const nameForm = /^(?!(constructor|prototype)$)[a-z][A-Za-z0-9]{0,39}$/
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
export const partForm = {
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
export interface Violation {
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
export function explainForm(violation: Violation): [pointer: string, what: string] | undefined {
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
