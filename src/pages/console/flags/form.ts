import type { Schemas } from '../../shared/client.ts'
import {
  all,
  linesOf,
  parse,
  percent,
  restOf,
  textOf,
  valueOf,
  valuesOf,
  weightOf,
  wordsOf
} from './texts.ts'

export type Flag = Required<Schemas['NewFlag']>
/** In the form of the portal. */
type Mistake = [pointer: string, message: string]
export type Condition = NonNullable<Schemas['FlagRule']['when']['attributes']>[number]

/**
 * The fields of the editor. Texts stay as they were typed, also while they are not valid. Parts
 * have ids that stay when they move; variants are referred to by theirs, so that they can be
 * renamed.
 */
export interface FlagForm extends Omit<Flag, 'variants' | 'rules'> {
  variants: VariantForm[]
  rules: RuleForm[]
  /** The flag as JSON, edited and not yet applied. */
  json?: string
}
export interface VariantForm {
  id: string
  name: string
  value: string
}
export interface RuleForm {
  id: string
  roles: string
  users: string
  attributes: ConditionForm[]
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
  rules = []
}: Schemas['NewFlag']): FlagForm {
  return {
    key,
    type,
    description,
    state,
    public: isPublic,
    defaultVariant,
    offVariant,
    variants: Object.entries(variants).map(([name, value]) => ({
      id: name,
      name,
      value: typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
    })),
    rules: rules.map(({ when, serve }, n) => ({
      id: String(n),
      roles: (when.rolesAny ?? []).join(', '),
      users: linesOf(when.users ?? [], textOf),
      attributes: (when.attributes ?? []).map(({ name, op, values }, m) => ({
        id: String(m),
        name,
        op,
        values: linesOf(values, valueOf)
      })),
      serve: 'variant' in serve ? serve.variant : split,
      shares:
        'variant' in serve
          ? []
          : serve.split.map(({ variant, weight }, m) => ({
              id: String(m),
              variant,
              percent: percent(weight)
            }))
    }))
  }
}

/** Reads a flag from the form, with its mistakes, which have the same pointers as the portal's. */
export function flagOf(form: FlagForm): { flag: Flag; mistakes: Mistake[] } {
  const mistakes: Mistake[] = []
  const wrong = (pointer: string, message: string) => {
    mistakes.push([`/${pointer}`, message])
  }
  const named = (id: string, pointer: string) => {
    const name = form.variants.find((variant) => variant.id === id)?.name
    if (name === undefined) wrong(pointer, 'Choose a variant.')
    return name ?? id
  }
  const variants = form.variants.map(({ name, value }, n): [string, Flag['variants'][string]] => {
    const isTaken = form.variants.findIndex((other) => other.name === name) < n
    const parsed = form.type === 'string' ? value : parse(value)
    if (name === '') wrong('variants', 'A variant needs a name.')
    else if (isTaken) wrong('variants', `Two variants are called ${name}.`)
    else if (typeOf(parsed) !== form.type) wrong(`variants/${name}`, expected[form.type])
    return [name, parsed as Flag['variants'][string]]
  })
  const rules = form.rules.map(({ roles, users, attributes, serve, shares }, n) => {
    const at = `rules/${n}`
    const rolesAny = wordsOf(roles)
    const keys = valuesOf(users, textOf)
    const conditions = attributes.map(({ name, op, values }, m) => {
      const given = valuesOf(values, valueOf)
      if (name === '' || given.length === 0) {
        wrong(`${at}/when/attributes/${m}`, 'A condition needs a name and a value.')
      }
      return { name, op, values: given }
    })
    const weights = shares.map(({ variant, percent }, m) => {
      const weight = weightOf(percent)
      const pointer = `${at}/serve/split/${m}`
      if (weight === undefined) {
        wrong(pointer, 'Enter a number from 0 to 100, with at most three decimal places.')
      }
      return { variant: named(variant, pointer), weight: weight ?? 0 }
    })
    const rest = restOf(shares)
    if (serve === split && rest !== 0 && rest !== undefined) {
      wrong(
        `${at}/serve/split`,
        `The shares must add up to 100 %, not to ${percent(all - rest)} %.`
      )
    }
    return {
      when: {
        ...(rolesAny.length > 0 && { rolesAny }),
        ...(keys.length > 0 && { users: keys }),
        ...(conditions.length > 0 && { attributes: conditions })
      },
      serve: serve === split ? { split: weights } : { variant: named(serve, `${at}/serve`) }
    }
  })
  const { key, type, description, state, public: isPublic } = form
  const flag = {
    key,
    type,
    description,
    state,
    public: isPublic,
    defaultVariant: named(form.defaultVariant, 'defaultVariant'),
    offVariant: named(form.offVariant, 'offVariant'),
    variants: Object.fromEntries(variants),
    rules
  }
  return { flag, mistakes }
}

/** The changes as a merge patch; undefined if there are none. */
export function patchOf(before: Flag, after: Flag): Schemas['FlagPatch'] | undefined {
  const { key, type, variants, ...fields } = after
  const changed = Object.entries(fields).filter(([name, value]) =>
    differ(value, before[name as keyof Flag])
  )
  const names = new Set([...Object.keys(before.variants), ...Object.keys(variants)])
  const merged = [...names]
    .filter((name) => differ(variants[name], before.variants[name]))
    .map((name) => [name, variants[name] ?? null])
  if (merged.length > 0) changed.push(['variants', Object.fromEntries(merged)])
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}

/** The flag with a merge patch applied to it. */
export const patched = (flag: Flag, { variants, ...patch }: Schemas['FlagPatch'] = {}): Flag => ({
  ...flag,
  ...patch,
  variants: Object.fromEntries(
    Object.entries({ ...flag.variants, ...variants }).filter(([, value]) => value !== null)
  ) as Flag['variants']
})

const differ = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)

const typeOf = (value: unknown) =>
  value === null || Array.isArray(value) ? undefined : typeof value
const expected = {
  boolean: 'Choose true or false.',
  string: 'Enter text.',
  number: 'Enter a number.',
  object: 'Enter an object in JSON, such as {"limit": 10}.'
}
