import { RejectedCall } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { all, parse, percent, restOf, weightOf, whenFormOf, whenOf } from './when-form.ts'
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
}
export interface VariantForm {
  id: string
  name: string
  value: string
}
export interface RuleForm extends WhenForm {
  id: string
  /** The id of a variant, or `split`. */
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

export const newFlag: Flag = {
  key: '',
  type: 'boolean',
  description: '',
  state: 'enabled',
  public: false,
  permanent: false,
  variants: { on: true, off: false },
  defaultVariant: 'off',
  offVariant: 'off',
  rules: []
}

/** The fields for a flag, by default for a new one. */
export function formOf(flag: Schemas['NewFlag'] = newFlag): FlagForm {
  const { variants, rules, ...others } = { ...newFlag, ...flag }
  return {
    ...others,
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

export const differ = (one: unknown, other: unknown) =>
  JSON.stringify(one) !== JSON.stringify(other)

/** In the form of the portal. */
type Mistake = [pointer: string, message: string]

/** Where mistakes are collected, and how variants are called. */
interface Reading {
  wrong(pointer: string, message: string): void
  named(id: string, pointer: string): string
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
  const { key, type, description, state, public: isPublic, permanent } = form
  const flag = {
    ...{ key, type, description, state, public: isPublic, permanent },
    defaultVariant: named(form.defaultVariant, 'defaultVariant'),
    offVariant: named(form.offVariant, 'offVariant'),
    variants: variantsOf(form, wrong),
    rules: form.rules.map((rule, n) => ruleOf(rule, `rules/${n}`, { wrong, named }))
  }
  return { flag, mistakes }
}

function variantsOf({ type, variants }: FlagForm, wrong: Reading['wrong']): Flag['variants'] {
  const read = variants.map(({ name, value }, n) => {
    const isTaken = variants.findIndex((other) => other.name === name) < n
    const parsed = type === 'string' ? value : parse(value)
    if (name === '') wrong('variants', 'A variant needs a name.')
    else if (isTaken) wrong('variants', `Two variants are called ${name}.`)
    else if (typeOf(parsed) !== type) wrong(`variants/${name}`, expected[type])
    return [name, parsed as Flag['variants'][string]] as const
  })
  return Object.fromEntries(read)
}

const ruleOf = (rule: RuleForm, at: string, reading: Reading): Flag['rules'][number] => ({
  when: whenOf(rule, `${at}/when`, reading.wrong),
  serve:
    rule.serve === split
      ? { split: splitOf(rule, `${at}/serve/split`, reading) }
      : { variant: reading.named(rule.serve, `${at}/serve`) }
})

function splitOf({ shares }: RuleForm, at: string, { wrong, named }: Reading) {
  const weights = shares.map(({ variant, percent }, n) => {
    const weight = weightOf(percent)
    if (weight === undefined) {
      wrong(`${at}/${n}`, 'Enter a number from 0 to 100, with at most three decimal places.')
    }
    return { variant: named(variant, `${at}/${n}`), weight: weight ?? 0 }
  })
  const rest = restOf(shares)
  if (rest !== 0 && rest !== undefined) {
    wrong(at, `The shares must add up to 100 %, not to ${percent(all - rest)} %.`)
  }
  return weights
}

const typeOf = (value: unknown) =>
  value === null || Array.isArray(value) ? undefined : typeof value
const expected = {
  boolean: 'Choose true or false.',
  string: 'Enter text.',
  number: 'Enter a number.',
  object: 'Enter an object in JSON, such as {"limit": 10}.'
}

/** A refusal by the page itself, before it asks the portal: a mistake by its pointer. */
export const refuse = (detail: string, ...mistakes: [pointer: string, message: string][]) =>
  new RejectedCall(
    {
      detail,
      errors: mistakes.map(([pointer, message]) => ({ pointer, code: 'invalid', message }))
    },
    new Response()
  )

/** Reads a flag from a form without mistakes, and throws them otherwise. */
export function checkFlag(form: FlagForm) {
  const { flag, mistakes } = flagOf(form)
  if (mistakes.length === 0) return flag
  throw refuse('Nothing was sent: the flag has mistakes.', ...mistakes)
}
