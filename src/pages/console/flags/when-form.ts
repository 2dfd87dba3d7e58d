import type { Schemas } from '../../shared/client.ts'

/** Undefined for what is not JSON, or is too large a number. */
export function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value === Infinity || value === -Infinity ? undefined : value
  } catch {
    return undefined
  }
}

/** Numbers, true and false, and texts in quotation marks are read as JSON; all else is text. */
export function valueOf(line: string): string | number | boolean {
  const value = parse(line)
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value)
  return isScalar ? (value as string | number | boolean) : line
}
export const valuesOf = (lines: string) =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(valueOf)
/** One value a line, so that `valuesOf` reads the same again. */
export const linesOf = (values: readonly (string | number | boolean)[]) =>
  values
    .map((value) => {
      const again = valuesOf(String(value))
      return again.length === 1 && again[0] === value ? String(value) : JSON.stringify(value)
    })
    .join('\n')
export const wordsOf = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '')

/** The sum of all weights, in thousandths of a percent. */
export const all = 100_000
export const percent = (weight: number) => String(weight / 1000)
export function weightOf(percent: string): number | undefined {
  const text = percent.trim().replace(',', '.')
  if (!/^\d{1,3}(\.\d{1,3})?$/.test(text)) return undefined
  const weight = Math.round(Number(text) * 1000)
  return weight <= all ? weight : undefined
}
interface Share {
  percent: string
}

/** The weight that is left for other variants; undefined while a share is not a number. */
export function restOf(shares: readonly Share[]): number | undefined {
  let rest = all
  for (const { percent } of shares) rest -= weightOf(percent) ?? NaN
  return Number.isNaN(rest) ? undefined : rest
}
/** Which share contains the bucket. */
export function shareAt<T extends Share>(shares: readonly T[], bucket: number) {
  let end = 0
  return shares.find(({ percent }) => bucket < (end += weightOf(percent) ?? 0))
}

export type When = Schemas['FlagRule']['when']
export type Condition = NonNullable<When['attributes']>[number]
/** Conditions on the context, and on the app settings of the user. */
export type ConditionPart = 'attributes' | 'appSettings'

type Field = 'rolesAny' | 'users' | 'scopes' | 'segmentsAny' | 'from' | 'until'

/** The fields for whom something applies to. */
export interface WhenForm extends Record<ConditionPart, ConditionForm[]> {
  roles: readonly string[]
  users: readonly string[]
  scopes: readonly string[]
  segments: readonly string[]
  /** In UTC, as the portal stores them; empty without one. */
  from: string
  until: string
  /** Parts for which there are no fields. Without them, more would match. */
  others: Omit<When, ConditionPart | Field>
}
export interface ConditionForm extends Omit<Condition, 'values'> {
  id: string
  values: string
}

export const operators: Record<Condition['op'], string> = {
  in: 'is one of',
  notIn: 'is none of',
  startsWith: 'starts with one of',
  endsWith: 'ends with one of',
  contains: 'contains one of',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least'
}

export function whenFormOf({
  rolesAny: roles = [],
  users = [],
  scopes = [],
  segmentsAny: segments = [],
  from = '',
  until = '',
  attributes = [],
  appSettings = [],
  ...others
}: When): WhenForm {
  return {
    ...{ roles, users, scopes, segments, from, until, others },
    attributes: attributes.map(conditionFormOf),
    appSettings: appSettings.map(conditionFormOf)
  }
}

const conditionFormOf = ({ name, op, values }: Condition, n: number): ConditionForm => ({
  id: String(n),
  ...{ name, op },
  values: linesOf(values)
})

/** The conditions that a form describes. Calls `wrong` with the pointer of each invalid field. */
export function whenOf(
  form: WhenForm,
  at: string,
  wrong: (pointer: string, message: string) => void
): When {
  const { roles, users, scopes, segments } = form
  const conditionsOf = (part: ConditionPart) => {
    const conditions = form[part].map(({ name, op, values }, n) => {
      const given = valuesOf(values)
      if (name === '' || given.length === 0) {
        wrong(`${at}/${part}/${n}`, 'A condition needs a name and a value.')
      }
      return { name, op, values: given }
    })
    return conditions.length > 0 && { [part]: conditions }
  }
  return {
    ...form.others,
    ...(roles.length > 0 && { rolesAny: [...roles] }),
    ...(users.length > 0 && { users: [...users] }),
    ...(scopes.length > 0 && { scopes: [...scopes] }),
    ...(segments.length > 0 && { segmentsAny: [...segments] }),
    ...(form.from !== '' && { from: form.from }),
    ...(form.until !== '' && { until: form.until }),
    ...conditionsOf('attributes'),
    ...conditionsOf('appSettings')
  }
}
