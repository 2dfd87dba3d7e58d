import type { Schemas } from '../../shared/client.ts'
import { linesOf, textOf, valueOf, valuesOf, wordsOf } from './texts.ts'

export type When = Schemas['FlagRule']['when']
export type Condition = NonNullable<When['attributes']>[number]
/** Conditions on the context, and on the app settings of the user. */
export type ConditionPart = 'attributes' | 'appSettings'

/** The fields for whom something applies to. Texts stay as they were typed. */
export interface WhenForm extends Record<ConditionPart, ConditionForm[]> {
  roles: string
  users: string
  /** Keys. */
  segments: readonly string[]
  /** In UTC, as the portal stores them; empty without one. */
  from: string
  until: string
  /** Parts for which there are no fields. Without them, more would match. */
  others: Omit<When, ConditionPart | 'rolesAny' | 'users' | 'segmentsAny' | 'from' | 'until'>
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
  rolesAny = [],
  users = [],
  segmentsAny: segments = [],
  from = '',
  until = '',
  attributes = [],
  appSettings = [],
  ...others
}: When): WhenForm {
  return {
    roles: rolesAny.join('\n'),
    users: linesOf(users, textOf),
    ...{ segments, from, until, others },
    attributes: attributes.map(conditionFormOf),
    appSettings: appSettings.map(conditionFormOf)
  }
}

const conditionFormOf = ({ name, op, values }: Condition, n: number): ConditionForm => ({
  id: String(n),
  ...{ name, op },
  values: linesOf(values, valueOf)
})

/** The conditions that a form describes. Calls `wrong` with the pointer of each invalid field. */
export function whenOf(
  form: WhenForm,
  at: string,
  wrong: (pointer: string, message: string) => void
): When {
  const rolesAny = wordsOf(form.roles)
  const users = valuesOf(form.users, textOf)
  const conditionsOf = (part: ConditionPart) => {
    const conditions = form[part].map(({ name, op, values }, n) => {
      const given = valuesOf(values, valueOf)
      if (name === '' || given.length === 0) {
        wrong(`${at}/${part}/${n}`, 'A condition needs a name and a value.')
      }
      return { name, op, values: given }
    })
    return conditions.length > 0 && { [part]: conditions }
  }
  return {
    ...form.others,
    ...(rolesAny.length > 0 && { rolesAny }),
    ...(users.length > 0 && { users }),
    ...(form.segments.length > 0 && { segmentsAny: [...form.segments] }),
    ...(form.from !== '' && { from: form.from }),
    ...(form.until !== '' && { until: form.until }),
    ...conditionsOf('attributes'),
    ...conditionsOf('appSettings')
  }
}
