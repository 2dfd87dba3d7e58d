import { createRequire } from 'node:module'
import { settingsParts } from '../../db/schema/users.ts'
import type { SettingsPart } from '../../db/schema/users.ts'
import { isStorable, settingFormats } from '../domain/settings/formats.ts'
import type { SettingSchema, SettingsSchemas } from '../common/settings.ts'
import { readText } from '../domain/text-files.ts'
import { explainForm, mostLevels, nameForm, partForm } from './settings-form.ts'
import type { Violation } from './settings-form.ts'

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
