import type { Schemas } from '../../shared/client.ts'
import { percent } from './texts.ts'
import { whenFormOf } from './when-form.ts'
import type { WhenForm } from './when-form.ts'

export type Flag = Required<Schemas['NewFlag']>
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
export interface RuleForm extends WhenForm {
  id: string
  /** Of a variant, or `split`. */
  serve: string
  shares: ShareForm[]
}
export interface ShareForm {
  id: string
  variant: string
  percent: string
}

/** In place of a variant. No variant can have this id. */
export const split = '%'

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

const ruleFormOf = ({ when, serve }: Flag['rules'][number], n: number): RuleForm => ({
  id: String(n),
  ...whenFormOf(when),
  serve: 'variant' in serve ? serve.variant : split,
  shares:
    'variant' in serve
      ? []
      : serve.split.map(({ variant, weight }, m) => ({
          id: String(m),
          variant,
          percent: percent(weight)
        }))
})
