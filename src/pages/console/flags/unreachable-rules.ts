import { isSatisfied } from '../../../common/orders.ts'
import { differ } from './form.ts'
import type { Flag } from './form.ts'
import { isForEverybody } from './sentences.ts'

type When = Flag['rules'][number]['when']
type Condition = NonNullable<When['attributes']>[number]

/** Why a rule can never match, in a sentence; undefined if it can, as far as can be seen here. */
export function whyUnreachable(rules: Flag['rules'], index: number): string | undefined {
  const when = rules[index]?.when
  if (!when) return undefined
  const above = rules.slice(0, index)
  const everybody = above.findIndex(isForEverybody)
  if (everybody >= 0) {
    return `This rule never matches: rule ${everybody + 1} above it is for everybody.`
  }
  const shadow = above.findIndex((earlier) => covers(earlier.when, when))
  if (shadow >= 0) {
    return `This rule never matches: rule ${shadow + 1} above it matches the same users.`
  }
  const conflict = (['attributes', 'appSettings'] as const)
    .map((part) => completeOf(when[part]))
    .flatMap((all) =>
      all.filter((one, n) =>
        all.slice(n).some((other) => one.name === other.name && exclude(one, other))
      )
    )[0]
  return conflict && `This rule never matches: no ${conflict.name} meets all of its conditions.`
}

/** Returns the conditions that are complete. */
const completeOf = (conditions: readonly Condition[] = []) =>
  conditions.filter(({ name, values }) => name !== '' && values.length > 0)

/** Whether whatever matches the inner one also matches the outer one. */
const covers = (
  { rolesAny, users, scopes, segmentsAny, attributes, appSettings, ...others }: When,
  inner: When
) =>
  coversList(rolesAny, inner.rolesAny) &&
  coversList(users, inner.users) &&
  coversList(scopes, inner.scopes) &&
  coversList(segmentsAny, inner.segmentsAny) &&
  coversConditions(attributes, inner.attributes) &&
  coversConditions(appSettings, inner.appSettings) &&
  Object.entries(others).every(([part, value]) => !differ(value, inner[part as keyof When]))

const coversConditions = (outer: readonly Condition[] = [], inner?: readonly Condition[]) =>
  outer.every((wide) =>
    completeOf(inner).some((narrow) => wide.name === narrow.name && implies(narrow, wide))
  )

const coversList = (outer: readonly string[] | undefined, inner: readonly string[] | undefined) =>
  outer === undefined || (inner !== undefined && isWithin(inner, outer))

const isWithin = (inner: readonly unknown[], outer: readonly unknown[]) =>
  inner.every((value) => outer.includes(value))

function implies(narrow: Condition, wide: Condition): boolean {
  if (narrow.op === 'in') return narrow.values.every((value) => holds(value, wide))
  if (narrow.op !== wide.op) return false
  return narrow.op === 'notIn'
    ? isWithin(wide.values, narrow.values)
    : isWithin(narrow.values, wide.values) || narrow.values.every((value) => holds(value, wide))
}

/** Whether no value meets both. Conditions on parts of a text may always meet. */
function exclude(one: Condition, other: Condition): boolean {
  if (one.op === 'in') return one.values.every((value) => !holds(value, other))
  if (other.op === 'in') return exclude(other, one)
  const [least, most] = [boundsOf(one), boundsOf(other)]
  const low = Math.max(least.low, most.low)
  const high = Math.min(least.high, most.high)
  return low > high || (low === high && [one, other].some(({ op }) => op === 'lt' || op === 'gt'))
}

function boundsOf({ op, values }: Condition) {
  const numbers = values.filter((value) => typeof value === 'number')
  // Versions and times have no bounds here.
  const isLess = numbers.length > 0 && (op === 'lt' || op === 'lte')
  const isMore = numbers.length > 0 && (op === 'gt' || op === 'gte')
  return {
    low: isMore ? Math.min(...numbers) : -Infinity,
    high: isLess ? Math.max(...numbers) : Infinity
  }
}

/** Evaluates a condition as the portal does. */
const holds = (given: unknown, { op, values }: Condition): boolean =>
  op === 'notIn' ? !values.some((value) => value === given) : isSatisfied(op, values, given)
