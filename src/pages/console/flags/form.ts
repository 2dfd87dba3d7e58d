import type { Schemas } from '../../shared/client.ts'
import { linesOf, percent, textOf, valueOf } from './texts.ts'

export type Flag = Required<Schemas['NewFlag']>
export type When = Schemas['FlagRule']['when']
export type Condition = NonNullable<When['attributes']>[number]
/** Conditions of a rule: on the context, and on the app settings of the user. */
export type ConditionPart = 'attributes' | 'appSettings'

/**
 * The fields of the editor. Texts stay as they were typed, also while they are not valid. Parts
 * have ids that stay when they move; variants are referred to by theirs, so that they can be
 * renamed.
 */
export interface FlagForm extends Omit<Flag, 'variants' | 'rules'> {
  variants: VariantForm[]
  rules: RuleForm[]
  /** The flag as JSON, edited and not yet applied. */
  json?: string | undefined
}
export interface VariantForm {
  id: string
  name: string
  value: string
}
export interface RuleForm extends Record<ConditionPart, ConditionForm[]> {
  id: string
  roles: string
  users: string
  /** In UTC, as the portal stores them; empty without one. */
  from: string
  until: string
  /** Parts of `when` for which there are no fields. Without them, the rule would match more. */
  others: Omit<When, ConditionPart | 'rolesAny' | 'users' | 'from' | 'until'>
  /** Of a variant, or `split`. */
  serve: string
  shares: ShareForm[]
}
export interface ConditionForm extends Omit<Condition, 'values'> {
  id: string
  values: string
}
export interface ShareForm {
  id: string
  variant: string
  percent: string
}

/** In place of a variant. No variant can have this id. */
export const split = '%'
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

let last = 0
/** An id for a new part: those that were loaded have their names or positions. */
export const newId = () => `+${++last}`

/** The parts with changes in one of them. */
export const changed = <T extends { id: string }>(
  parts: readonly T[],
  id: string,
  changes: Partial<T>
) => parts.map((each) => (each.id === id ? { ...each, ...changes } : each))

export const removed = <T extends { id: string }>(parts: readonly T[], id: string) =>
  parts.filter((each) => each.id !== id)

export const newForm = (): FlagForm =>
  formOf({
    key: '',
    type: 'boolean',
    variants: { on: true, off: false },
    defaultVariant: 'off',
    offVariant: 'off'
  })

export function formOf({
  key,
  type,
  variants,
  defaultVariant,
  offVariant,
  description = '',
  state = 'enabled',
  public: isPublic = false,
  permanent = false,
  rules = []
}: Schemas['NewFlag']): FlagForm {
  return {
    key,
    type,
    description,
    state,
    public: isPublic,
    permanent,
    defaultVariant,
    offVariant,
    variants: Object.entries(variants).map(([name, value]) => ({
      id: name,
      name,
      value: typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
    })),
    rules: rules.map(ruleFormOf)
  }
}

function ruleFormOf({ when, serve }: Flag['rules'][number], n: number): RuleForm {
  const { rolesAny, users, from = '', until = '', attributes, appSettings, ...others } = when
  return {
    id: String(n),
    roles: (rolesAny ?? []).join(', '),
    users: linesOf(users ?? [], textOf),
    ...{ from, until, others },
    attributes: conditionsOf(attributes),
    appSettings: conditionsOf(appSettings),
    serve: 'variant' in serve ? serve.variant : split,
    shares:
      'variant' in serve
        ? []
        : serve.split.map(({ variant, weight }, m) => ({
            id: String(m),
            variant,
            percent: percent(weight)
          }))
  }
}

const conditionsOf = (conditions: readonly Condition[] = []): ConditionForm[] =>
  conditions.map(({ name, op, values }, n) => ({
    id: String(n),
    name,
    op,
    values: linesOf(values, valueOf)
  }))
