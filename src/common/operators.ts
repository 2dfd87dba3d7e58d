import { isDay } from './days.ts'

// How values compare. Versions and times have an order; other texts only have parts.

/** SemVer 2.0.0; apps also send two numbers, or a `v`. */
const versionForm =
  /^v?(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(?:-([0-9A-Za-z.-]{1,100}))?(?:\+[0-9A-Za-z.-]{1,100})?$/
/** RFC 3339; a date alone is its beginning in UTC. */
const timeForm =
  /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))?$/

function timeOf(text: string): number {
  const [, day] = timeForm.exec(text) ?? []
  return day !== undefined && isDay(day) ? Date.parse(text) : Number.NaN
}

function versionOf(text: string) {
  const [, major, minor, patch = 0, pre] = versionForm.exec(text) ?? []
  if (major === undefined) return undefined
  return { numbers: [major, minor, patch].map(Number), pre: pre?.split('.') ?? [] }
}

/** Whether a rule can ask what is before or after this text. */
export const isOrdered = (text: string) =>
  versionOf(text) !== undefined || !Number.isNaN(timeOf(text))

/** Below 0 if `one` comes first; NaN unless both are versions, or both are times. */
function order(one: string, other: string): number {
  const [left, right] = [versionOf(one), versionOf(other)]
  if (!left || !right) return timeOf(one) - timeOf(other)
  for (const [i, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[i] ?? 0)
    if (difference !== 0) return difference
  }
  // A release comes after its pre-releases: SemVer 2.0.0, section 11.
  if (left.pre.length === 0 || right.pre.length === 0) return right.pre.length - left.pre.length
  for (let i = 0; i < Math.max(left.pre.length, right.pre.length); i++) {
    const difference = orderOfParts(left.pre[i], right.pre[i])
    if (difference !== 0) return difference
  }
  return 0
}

/** Fewer parts come first, and numbers before words. */
function orderOfParts(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0
  if (one === undefined || other === undefined) return one === undefined ? -1 : 1
  const [isNumber, isOther] = [one, other].map((part) => /^\d+$/.test(part))
  if (isNumber && isOther) return Number(one) - Number(other)
  if (isNumber || isOther) return isNumber ? -1 : 1
  return one < other ? -1 : 1
}

type Comparisons<T> = Partial<Record<string, (given: T, value: T) => boolean>>

const ofNumbers: Comparisons<number> = {
  lt: (given, value) => given < value,
  lte: (given, value) => given <= value,
  gt: (given, value) => given > value,
  gte: (given, value) => given >= value
}

const ofTexts: Comparisons<string> = {
  lt: (given, value) => order(given, value) < 0,
  lte: (given, value) => order(given, value) <= 0,
  gt: (given, value) => order(given, value) > 0,
  gte: (given, value) => order(given, value) >= 0,
  startsWith: (given, value) => given.startsWith(value),
  endsWith: (given, value) => given.endsWith(value),
  contains: (given, value) => given.includes(value)
}

/** Whether a value is any of these, or compares with any as `op` asks, except for `notIn`. */
export function isSatisfied(op: string, values: readonly unknown[], given: unknown): boolean {
  if (op === 'in') return values.includes(given)
  return values.some((value) => {
    if (typeof given === 'number' && typeof value === 'number') return ofNumbers[op]?.(given, value)
    if (typeof given === 'string' && typeof value === 'string') return ofTexts[op]?.(given, value)
    return false
  })
}
