import { split } from './form.ts'
import type { Flag, FlagForm, RuleForm } from './form.ts'
import { all, parse, percent, restOf, weightOf } from './texts.ts'
import { whenOf } from './when-form.ts'

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
