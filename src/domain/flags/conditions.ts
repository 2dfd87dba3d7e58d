import type { Condition, Rule, SegmentWhen, When } from '../../../db/schema/flags.ts'
import type { SettingsDocument } from '../../../db/schema/users.ts'
import { settingAt } from '../../common/settings.ts'
import { composed } from '../texts.ts'
import { isSatisfied } from '../../common/operators.ts'

/** The caller that conditions judge. Roles come from a session only. */
export interface Context {
  targetingKey?: string | undefined
  roles: readonly string[]
  signedIn: boolean
  attributes: Readonly<Record<string, unknown>>
  /** App settings of a signed-in user, which a caller cannot claim. */
  appSettings?: SettingsDocument | undefined
  /** The scope that the evaluation is about, if the caller has a role in it. */
  scope?: string | undefined
  /** The time of the database, in milliseconds. */
  now: number
  segments: Segments
  /** Whether the caller is in these segments. Each is decided at most once for a context. */
  decided: Map<string, boolean>
}

/** Segments by their keys. */
export type Segments = ReadonlyMap<string, SegmentWhen>

/** Omits segments with properties that this version does not know: they match nobody. */
export const segmentsByKey = (rows: readonly { key: string; when: SegmentWhen }[]): Segments =>
  new Map(
    rows.flatMap(({ key, when }) => {
      const { rolesAny, users, scopes, attributes, appSettings, ...unknown } = when
      return Object.keys(unknown).length > 0 ? [] : [[key, when]]
    })
  )

/** Keys of the segments that rules name, each once. */
export const segmentsIn = (rules: readonly Pick<Rule, 'when'>[]) => [
  ...new Set(rules.flatMap(({ when }) => when.segmentsAny ?? []))
]

/**
 * `when`, in a form that is quick to compare: with every property, so that all of them have one
 * shape. V8 takes microseconds to find out that an object of many shapes lacks a property.
 */
interface Compiled {
  rolesAny: readonly string[] | undefined
  users: ReadonlySet<string> | undefined
  scopes: readonly string[] | undefined
  attributes: readonly Condition[]
  appSettings: readonly Condition[]
  segmentsAny: readonly string[] | undefined
  from: number
  until: number
}

// Rules and segments do not change once they are read.
const compiledRules = new WeakMap<Rule[], (Compiled | undefined)[]>()
const compiledSegments = new WeakMap<SegmentWhen, Compiled | undefined>()

/** Index of the first rule that matches, or -1. */
export function findMatch(rules: Rule[], context: Context): number {
  let known = compiledRules.get(rules)
  if (!known) {
    known = rules.map(({ when }) => compile(when))
    compiledRules.set(rules, known)
  }
  return known.findIndex((when) => when && holdsFor(when, context))
}

export function matches(when: When, context: Context): boolean {
  const compiled = compile(when)
  return compiled !== undefined && holdsFor(compiled, context)
}

/** Whether the caller is in a segment. Nobody is in one that does not exist. */
export function isIn(key: string, context: Context): boolean {
  const known = context.decided.get(key)
  if (known !== undefined) return known
  const segment = context.segments.get(key)
  let when = segment && compiledSegments.get(segment)
  if (segment && !when) {
    when = compile(segment)
    compiledSegments.set(segment, when)
  }
  const decided = when !== undefined && holdsFor(when, context)
  context.decided.set(key, decided)
  return decided
}

/** Undefined for a part that this version does not know: such a rule never matches. */
function compile(when: When): Compiled | undefined {
  const {
    rolesAny,
    users,
    scopes,
    attributes = [],
    appSettings = [],
    segmentsAny,
    from,
    until,
    ...unknown
  } = when
  if (Object.keys(unknown).length > 0) return undefined
  return {
    rolesAny,
    users: users && new Set(users.map(composed)),
    scopes,
    attributes: attributes.map(composedCondition),
    appSettings: appSettings.map(composedCondition),
    segmentsAny,
    from: from === undefined ? -Infinity : Date.parse(from),
    until: until === undefined ? Infinity : Date.parse(until)
  }
}

/** Keyboards and files of some systems decompose letters, such as `é` into `e` and an accent. */
const composedValue = <T>(value: T) => (typeof value === 'string' ? composed(value) : value)

const composedCondition = (condition: Condition): Condition => ({
  ...condition,
  values: condition.values.map(composedValue)
})

function holdsFor(
  { rolesAny, users, scopes, attributes, appSettings, segmentsAny, from, until }: Compiled,
  context: Context
): boolean {
  const { roles, targetingKey, scope, attributes: given, appSettings: settings, now } = context
  return (
    from <= now &&
    now < until &&
    (!rolesAny || rolesAny.some((role) => roles.includes(role))) &&
    (!users || (targetingKey !== undefined && users.has(targetingKey))) &&
    (!scopes || (scope !== undefined && scopes.includes(scope))) &&
    attributes.every((condition) =>
      holds(condition, Object.hasOwn(given, condition.name) ? given[condition.name] : undefined)
    ) &&
    appSettings.every((condition) => holds(condition, settingAt(settings, condition.name))) &&
    (!segmentsAny || segmentsAny.some((key) => isIn(key, context)))
  )
}

/**
 * A list satisfies a condition if one of its elements does. A missing attribute, or one of another
 * type, satisfies none except `notIn`.
 */
function holds({ op, values }: Omit<Condition, 'name'>, given: unknown): boolean {
  if (op === 'notIn') return !holds({ op: 'in', values }, given)
  return Array.isArray(given)
    ? given.some((each) => isSatisfied(op, values, composedValue(each)))
    : isSatisfied(op, values, composedValue(given))
}
