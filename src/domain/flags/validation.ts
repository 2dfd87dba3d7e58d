import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../db/engine.ts'
import { segmentLimits, totalWeight, variantLimits } from '../../../db/schema/flags.ts'
import type { Condition, FlagRow, FlagValue, SegmentWhen } from '../../../db/schema/flags.ts'
import { invalidFields } from '../errors.ts'
import type { FieldError } from '../errors.ts'
import { hasRounded, roundedMessage } from '../exact-numbers.ts'
import { segmentsIn } from './conditions.ts'
import { findMissing, findMissingRoles } from './references.ts'
import type { References, Missing } from './references.ts'
import { isOrdered } from '../../common/operators.ts'
import { timeProblems } from './times.ts'

type Definition = Pick<FlagRow, 'type' | 'variants' | 'defaultVariant' | 'offVariant' | 'rules'>

const ordering = new Set(['lt', 'lte', 'gt', 'gte'])
const textual = new Set(['startsWith', 'endsWith', 'contains'])

/**
 * Throws a refusal that lists every error of a flag. Roles are looked up in changed rules only: a
 * role that has been deleted must not prevent the flag from being disabled.
 * @param before the flag before the change; absent for a new one
 * @param known what rules may name; by default what exists, and segments are held
 */
export async function assertValidFlag(
  tx: Db,
  flag: Definition,
  before?: Definition,
  known?: References
) {
  const errors = [...problemsOf(flag, before)]
  if (errors.length === 0) errors.push(...excess(flag, before))
  errors.push(...asErrors(await findMissing(tx, flag.rules, before?.rules, known)))
  if (errors.length > 0) throw invalidFields(...errors)
}

/** Throws a refusal that lists every error in the conditions of a segment. */
export async function assertValidSegment(tx: Db, when: SegmentWhen, before?: SegmentWhen) {
  const errors = [...conditionProblems(when, '/when')]
  if (!isDeepStrictEqual(when, before)) {
    errors.push(...asErrors(await findMissingRoles(tx, [{ when, at: '/when' }])))
  }
  if (errors.length > 0) throw invalidFields(...errors)
}

const asErrors = (missing: Missing[]): FieldError[] =>
  missing.map(({ what, key, ...error }) => error)

/**
 * Errors when merged variants exceed a limit. A flag that already exceeds a limit may be changed,
 * but not grow.
 */
function* excess(flag: Definition, before?: Definition): Generator<FieldError> {
  const countOf = (flag?: Definition) => Object.keys(flag?.variants ?? {}).length
  const bytesOf = (flag?: Definition) => Buffer.byteLength(JSON.stringify(flag?.variants ?? {}))
  if (countOf(flag) > Math.max(variantLimits.count, countOf(before))) {
    const message = `At most ${variantLimits.count} variants`
    yield { pointer: '/variants', code: 'too-many', message }
  }
  if (bytesOf(flag) > Math.max(variantLimits.bytes, bytesOf(before))) {
    const message = `All variants together take at most ${variantLimits.bytes} bytes of JSON`
    yield { pointer: '/variants', code: 'too-long', message }
  }
}

function* problemsOf(
  { type, variants, defaultVariant, offVariant, rules }: Definition,
  before?: Definition
): Generator<FieldError> {
  const names = Object.keys(variants)
  const exists = (name: string) => Object.hasOwn(variants, name)
  if (names.length === 0) {
    yield { pointer: '/variants', code: 'too-short', message: 'At least one variant' }
  }
  for (const [name, value] of Object.entries(variants)) {
    const pointer = `/variants/${escape(name)}`
    if (typeOf(value) !== type) {
      yield { pointer, code: 'wrong-type', message: `Must be of type ${type}, like the flag` }
    } else if (!isStorable(value, maxDepth)) {
      const message =
        `Must not contain NUL or unpaired surrogates, or be nested deeper than ${maxDepth} ` +
        'levels'
      yield { pointer, code: 'invalid-value', message }
    } else if (hasRounded(value) && !isDeepStrictEqual(value, before?.variants[name])) {
      yield { pointer, code: 'out-of-range', message: roundedMessage }
    }
  }
  if (!exists(defaultVariant)) yield unknownVariant('/defaultVariant')
  if (!exists(offVariant)) yield unknownVariant('/offVariant')
  for (const [n, { when, serve }] of rules.entries()) {
    const at = `/rules/${n}`
    if ('variant' in serve) {
      if (!exists(serve.variant)) yield unknownVariant(`${at}/serve/variant`)
    } else {
      for (const [m, { variant }] of serve.split.entries()) {
        if (!exists(variant)) yield unknownVariant(`${at}/serve/split/${m}/variant`)
      }
      const sum = serve.split.reduce((sum, { weight }) => sum + weight, 0)
      if (sum !== totalWeight) {
        const message =
          `The weights must add up to ${totalWeight} (thousandths of a percent), ` + `not to ${sum}`
        yield { pointer: `${at}/serve/split`, code: 'wrong-sum', message }
      }
    }
    yield* timeProblems(when, `${at}/when`)
    yield* conditionProblems(when, `${at}/when`)
  }
  if (segmentsIn(rules).length > segmentLimits.inFlag) {
    const message = `The rules of a flag name at most ${segmentLimits.inFlag} different segments`
    yield { pointer: '/rules', code: 'too-many', message }
  }
}

function* conditionProblems(when: SegmentWhen, at: string): Generator<FieldError> {
  for (const part of ['attributes', 'appSettings'] as const) {
    for (const [n, condition] of (when[part] ?? []).entries()) {
      const message = conditionProblem(condition)
      if (message) yield { pointer: `${at}/${part}/${n}/values`, code: 'wrong-type', message }
    }
  }
}

function conditionProblem({ op, values }: Condition) {
  const [first] = values
  const isOrder = typeof first === 'number' || (typeof first === 'string' && isOrdered(first))
  if (ordering.has(op) && (values.length !== 1 || !isOrder)) {
    return (
      `Must be exactly one number, version such as 2.10.0, or time such as 2026-01-31 for the ` +
      `operator ${op}`
    )
  }
  if (textual.has(op) && values.some((value) => typeof value !== 'string')) {
    return `Must be text for the operator ${op}`
  }
}

const maxDepth = 20

/** Whether every database can store the value as JSON. */
function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (value === null || typeof value !== 'object') return true
  return (
    depth > 0 &&
    Object.entries(value).every(([key, each]) => isStorable(key, 0) && isStorable(each, depth - 1))
  )
}

const unknownVariant = (pointer: string): FieldError => ({
  pointer,
  code: 'unknown-variant',
  message: 'There is no variant with this name'
})
const typeOf = (value: FlagValue) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? 'object'
    : Array.isArray(value)
      ? 'array'
      : typeof value
/** RFC 6901 */
const escape = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
