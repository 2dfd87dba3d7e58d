import type { SettingSchema } from '../../common/settings.ts'
import { capital } from './capital.ts'

// A form of the part of JSON Schema that SETTINGS_SCHEMA may use: its fields, and what was entered.

export type Document = Record<string, unknown>

interface Common {
  /** JSON Pointer of the property, which is also the name of the control. */
  pointer: string
  label: string
  hint: string | undefined
  schema: SettingSchema
}

export interface SettingField extends Common {
  kind: 'choice' | 'checkbox' | 'number' | 'text' | 'area' | 'date' | 'date-time' | 'lines' | 'json'
  value: unknown
  /** The first text of the control. */
  text: string
  isRequired: boolean
}

interface SettingGroup extends Common {
  kind: 'group'
  fields: SettingEntry[]
}

export type SettingEntry = SettingField | SettingGroup

/** `startPage` in words: `Start page`. */
function wordsOf(name: string) {
  const words = name.replace(
    /[A-Z]{2,}(?![a-z])|[A-Z]|\d+/g,
    (part) => ` ${part.length > 1 ? part : part.toLowerCase()}`
  )
  return capital(words)
}

/** The fields for a document, as the portal shows it. */
export const fieldsOf = (
  { properties = {}, required = [] }: SettingSchema,
  document: Document,
  base = ''
): SettingEntry[] =>
  Object.entries(properties).map(([name, schema]) => {
    const common = {
      pointer: `${base}/${name}`,
      label: schema.title ?? wordsOf(name),
      hint: schema.description,
      schema
    }
    const value = document[name]
    if (schema.type === 'object') {
      const inner = isObject(value) ? value : {}
      return { ...common, kind: 'group', fields: fieldsOf(schema, inner, common.pointer) }
    }
    const usual = kindOf(schema)
    const kind = isShown(usual, schema, value) ? usual : 'json'
    return {
      ...common,
      kind,
      value,
      text: textOf(kind, value),
      isRequired: required.includes(name)
    }
  })

const scalars = ['string', 'number', 'integer', 'boolean']

function kindOf({ type, enum: values, format, maxLength = 0, items }: SettingSchema) {
  if (values) return 'choice'
  if (type === 'boolean') return 'checkbox'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'array') return items && scalars.includes(items.type) ? 'lines' : 'json'
  if (format === 'date' || format === 'date-time') return format
  return maxLength > 200 ? 'area' : 'text'
}

/** Whether a control of this kind shows the value, and a browser gives back the same text. */
function isShown(kind: SettingField['kind'], schema: SettingSchema, value: unknown) {
  if (value === undefined) return true
  if (kind === 'date-time') return localTimeOf(String(value)) !== undefined
  const text = textOf(kind, value)
  const isKept =
    kind === 'area' || kind === 'lines'
      ? !text.includes('\r')
      : kind === 'text'
        ? !/[\r\n]/.test(text)
        : kind !== 'date' || !text.startsWith('0000')
  return isKept && JSON.stringify(valueOf({ kind, schema }, text)) === JSON.stringify(value)
}

function textOf(kind: SettingField['kind'], value: unknown): string {
  if (kind === 'checkbox') return value === true ? 'on' : ''
  if (value === undefined) return ''
  if (kind === 'choice') return JSON.stringify(value)
  if (kind === 'json') return JSON.stringify(value, undefined, 2)
  if (kind === 'lines') return (value as unknown[]).join('\n')
  if (kind === 'date-time') return localTimeOf(String(value)) ?? ''
  return String(value)
}

/** The value of a text. One that is not of the type stays a text: the portal rejects it. */
function valueOf({ kind, schema }: Pick<SettingField, 'kind' | 'schema'>, text: string): unknown {
  if (kind === 'checkbox') return text === 'on'
  if (kind === 'choice' || kind === 'json') return parsed(text)
  if (kind === 'number') return numberOf(text)
  if (kind === 'date-time') return dateTimeOf(text) ?? text
  if (kind !== 'lines') return text
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => itemOf(schema.items?.type, line))
}

const itemOf = (type: SettingSchema['type'] | undefined, line: string) =>
  type === 'string' ? line : type === 'boolean' ? parsed(line) : numberOf(line)

const numberOf = (text: string) =>
  text !== '' && Number.isFinite(Number(text)) ? Number(text) : text

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/**
 * The merge patch of what was changed: an emptied field is null, so that the default counts again.
 * @param texts of the controls by name. A checkbox that is not checked has none
 * @param isWhole also with what was not changed
 */
export function patchOf(
  fields: readonly SettingEntry[],
  texts: Record<string, string>,
  isWhole = false
): Document {
  const patch: Document = {}
  for (const field of fields) {
    const name = field.pointer.slice(field.pointer.lastIndexOf('/') + 1)
    const hasChanged = isChanged(field, texts)
    if (!hasChanged && !isWhole) continue
    if (field.kind === 'group') {
      const inner = patchOf(field.fields, texts, isWhole || dependsOnItself(field.schema))
      if (Object.keys(inner).length > 0) patch[name] = inner
    } else {
      const value = entered(field, texts)
      if (value !== undefined || hasChanged) patch[name] = value ?? null
    }
  }
  return patch
}

/**
 * Whether values that are shown may be missing in what is stored: the object has a default, which
 * no longer counts once something of it is stored, or it needs all of its required properties.
 */
const dependsOnItself = ({ default: own, required = [] }: SettingSchema) =>
  own !== undefined || required.length > 0

const isChanged = (field: SettingEntry, texts: Record<string, string>): boolean =>
  field.kind === 'group'
    ? field.fields.some((inner) => isChanged(inner, texts))
    : typed(field, texts) !== field.text

/** The value in a control; undefined if it is empty. */
function entered(field: SettingField, texts: Record<string, string>) {
  const text = typed(field, texts)
  if (field.kind === 'checkbox') {
    // Without a value, one that is not checked says nothing, unless it must say something.
    return text === '' && field.value === undefined && !field.isRequired ? undefined : text === 'on'
  }
  if (text === field.text) return field.value
  return text.trim() === '' ? undefined : valueOf(field, text)
}

/** Browsers may end lines with both characters. */
const typed = ({ pointer }: SettingField, texts: Record<string, string>) =>
  (texts[pointer] ?? '').replaceAll('\r\n', '\n')

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A time as `<input type="datetime-local">` has it. Undefined where it cannot. */
export function localTimeOf(text: string): string | undefined {
  const time = new Date(text)
  const year = time.getFullYear()
  if (!(year > 0 && year < 10_000)) return undefined
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [String(year).padStart(4, '0'), two(time.getMonth() + 1), two(time.getDate())]
  const hour = [time.getHours(), time.getMinutes()]
  if (time.getSeconds() > 0) hour.push(time.getSeconds()) // as browsers shorten it
  return `${day.join('-')}T${hour.map(two).join(':')}`
}

/** The time in UTC, as the portal stores it. */
export function dateTimeOf(local: string): string | undefined {
  const time = new Date(local)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
