import { maxFieldErrors } from '../domain/errors.ts'
import type { FieldError } from '../domain/errors.ts'
import type { FieldCode } from '../problems/fields.ts'
import { plainText } from '../schemas/primitives.ts'

/** An error of Ajv, which must run with `verbose`. */
interface Violation {
  keyword: string
  instancePath: string
  /** Set when the violation is about the name of a property. */
  propertyName?: string
  params: Record<string, unknown>
  parentSchema?: {
    properties?: object
    pattern?: string
    examples?: unknown[]
    /** Limits that the domain checks after normalization, and that the document has. */
    'x-published'?: { minLength?: number; maxLength?: number }
  }
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number, written in digits',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null'
}
const formats: Record<string, string> = {
  uuid: 'an id like 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e',
  'date-time': 'a time like 2026-01-31T09:30:00.000Z',
  date: 'a date like 2026-01-31',
  email: 'an e-mail address like ada@example.com',
  uri: 'an https URL like https://example.com/ada'
}
/** In characters; the schema of a message allows more. */
const longestList = 800

/** Lists the words for which a message has room. */
function listed(words: readonly (string | number)[]) {
  const text = words.join(', ')
  return text.length <= longestList ? text : `${text.slice(0, longestList)}…`
}

/**
 * Turns violations found by Ajv into field errors, without duplicates and limited to
 * `maxFieldErrors`: with `allErrors`, a small body can cause thousands of violations.
 * @param context prefix of the pointers when the input is not the body
 */
export function explainViolations(violations: unknown[], context = ''): FieldError[] {
  const found = new Map<string, FieldError>()
  // Pointers into an object whose property names were rejected would repeat those names.
  const misnamed = new Set(
    (violations as Violation[])
      .filter(({ keyword }) => keyword === 'propertyNames')
      .map(({ instancePath }) => `${instancePath}/`)
  )
  for (const violation of violations as Violation[]) {
    // Other violations report these.
    if (violation.keyword === 'anyOf' || violation.propertyName !== undefined) continue
    if ([...misnamed].some((path) => violation.instancePath.startsWith(path))) continue
    const error = explain(violation, context)
    const key = `${error.pointer} ${error.code}`
    if (!found.has(key)) found.set(key, error)
    if (found.size === maxFieldErrors) break
  }
  return [...found.values()]
}

/** Never repeats received input: an unknown property is reported by the place of its object. */
function explain(
  { keyword, instancePath, params, parentSchema }: Violation,
  context: string
): FieldError {
  const at = (code: FieldCode, message: string, pointer = instancePath) => ({
    pointer: context + pointer,
    code,
    message
  })
  const known = () => listed(Object.keys(parentSchema?.properties ?? {}))
  const characters = (limit: unknown) => `${String(limit)} character${limit === 1 ? '' : 's'}`
  const limits = parentSchema?.['x-published']
  const entries = `${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`
  switch (keyword) {
    case 'required':
      return at('required', 'Is missing', `${instancePath}/${params.missingProperty}`)
    case 'type':
      return at(
        'wrong-type',
        `Must be ${[params.type]
          .flat()
          .map((type) => kinds[String(type)] ?? type)
          .join(' or ')}`
      )
    case 'minLength':
      return at('too-short', `At least ${characters(limits?.minLength ?? params.limit)}`)
    case 'maxLength':
      return at('too-long', `At most ${characters(limits?.maxLength ?? params.limit)}`)
    case 'enum':
      return at('not-allowed', `Must be one of ${listed(params.allowedValues as string[])}`)
    case 'minimum':
      return at('out-of-range', `Must be at least ${params.limit}`)
    case 'maximum':
      return at('out-of-range', `Must be at most ${params.limit}`)
    case 'minProperties':
      return at('empty', `Must change at least one of: ${known()}`)
    case 'minItems':
      return at('too-short', `At least ${entries}`)
    case 'maxItems':
    case 'maxProperties':
      return at('too-many', `At most ${entries}`)
    case 'uniqueItems':
      return at('repeated', 'Must not contain the same value twice')
    case 'format':
      return at(
        'malformed',
        `Must be ${formats[String(params.format)] ?? `of the form ${params.format}`}`
      )
    case 'pattern':
      return parentSchema?.pattern === plainText
        ? at(
            'invalid-characters',
            'Must not contain control characters, unpaired surrogates or bidirectional control ' +
              'characters'
          )
        : at('malformed', `Must look like ${parentSchema?.examples?.[0]}`)
    case 'propertyNames':
      return at(
        'malformed',
        'Has a name that is not allowed. Use letters and digits, separated by single dots, ' +
          'hyphens or underscores'
      )
    case 'additionalProperties':
      return at('unknown-property', `Has an unknown property. Allowed properties: ${known()}`)
    default:
      return at('invalid', 'Is not valid')
  }
}
