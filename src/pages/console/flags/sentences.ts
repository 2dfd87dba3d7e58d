import { capital } from '../../shared/capital.ts'
import { formatTime } from '../../shared/time-format.ts'
import { userNames } from '../list/user-label.ts'
import { counted } from '../grouped.ts'
import { nameOfRole } from '../roles/names.ts'
import { differ } from './form.ts'
import type { Flag } from './form.ts'
import { all, linesOf, percent } from './when-form.ts'

type Rule = Flag['rules'][number]
type When = Rule['when']
type Condition = NonNullable<When['attributes']>[number]
type Described = Pick<
  Flag,
  'type' | 'state' | 'variants' | 'defaultVariant' | 'offVariant' | 'rules'
>

/** Comparisons as in "whose age is at least 18". */
const comparisons: Record<Condition['op'], string> = {
  in: 'is',
  notIn: 'is not',
  startsWith: 'starts with',
  endsWith: 'ends with',
  contains: 'contains',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least'
}

/** Who gets what, such as "On for 20 % of users in DE; off for everybody else." */
export function sentenceOf(flag: Described): string {
  const { state, rules, defaultVariant, offVariant } = flag
  const named = (variant: string) => nameOf(variant, flag)
  if (state === 'disabled') return `Disabled: ${named(offVariant)} for everybody.`
  const last = rules.findIndex(isForEverybody)
  const [split, rest] = restOf(rules[last]?.serve ?? { variant: defaultVariant })
  const clauses = rules.slice(0, last < 0 ? undefined : last).map(({ when, serve }) => ({
    parts: partsOf(serve),
    who: whoOf(when),
    isTimed: 'from' in when || 'until' in when
  }))
  // Trailing rules that serve the default are omitted.
  while (split.length === 0 && isNoException(clauses.at(-1)?.parts, rest)) clauses.pop()
  if (split.length > 0) {
    const who = clauses.length > 0 ? 'everybody else' : 'users'
    clauses.push({ parts: split, who, isTimed: false })
  }
  // If more rules follow, every share of a split is named.
  const end = clauses.at(-1)
  if (end) end.parts = end.parts.filter(({ variant }) => variant !== rest)
  const others =
    clauses.length === 0
      ? ' for everybody'
      : clauses.at(-1)?.who === 'everybody else'
        ? ' for the rest'
        : clauses.some(({ isTimed }) => isTimed)
          ? ' otherwise'
          : ' for everybody else'
  const texts = clauses.map(({ parts, who }) => textOf(parts, who, named))
  return `${capital([...texts, named(rest) + others].join('; '))}.`
}

/**
 * Says what one rule does, such as "on for users with the role support".
 * @param isWhole whether long lists and texts are not shortened
 */
export function clauseOf(
  { when, serve }: Rule,
  flag: Pick<Flag, 'type' | 'variants'>,
  isWhole = false
) {
  const parts = 'variant' in serve ? [{ variant: serve.variant, weight: all }] : serve.split
  return textOf(parts, whoOf(when, isWhole), (variant) => nameOf(variant, flag, isWhole))
}

/** Who is meant, such as “Users with the role beta”. */
export const describeMembers = (when: When, isWhole = false) => capital(whoOf(when, isWhole))

/** The clause at the start of a line. */
export const ruleSentence = (...rule: Parameters<typeof clauseOf>) => capital(clauseOf(...rule))

export const isForEverybody = ({ when }: Pick<Rule, 'when'>) => Object.keys(when).length === 0

/** Why a rule never matches; undefined if it may. */
export function whyUnreachable(rules: readonly Pick<Rule, 'when'>[], index: number) {
  const above = rules.slice(0, index).findIndex(isForEverybody) + 1
  return above > 0 ? `This rule never matches: rule ${above} above it is for everybody.` : undefined
}

/** On and off for the values of a boolean flag, and otherwise the name. */
function nameOf(
  variant: string,
  { type, variants }: Pick<Flag, 'type' | 'variants'>,
  isWhole = false
) {
  const value = variants[variant]
  const isOnlyOne = Object.values(variants).filter((other) => other === value).length === 1
  if (type === 'boolean' && isOnlyOne) return value === true ? 'on' : 'off'
  return `“${(isWhole ? variant : shortened(variant)) || '?'}”`
}

interface Part {
  variant: string
  weight: number
}

const textOf = (parts: readonly Part[], who: string, named: (variant: string) => string) =>
  parts
    .map(({ variant, weight }, index) =>
      [
        named(variant),
        'for',
        weight === all ? '' : `${percent(weight)} %${index === parts.length - 1 ? ' of' : ''}`,
        index === parts.length - 1 ? who : ''
      ]
        .filter((word) => word !== '')
        .join(' ')
    )
    .join(' and ')

export const partsOf = (serve: Rule['serve']): readonly Part[] =>
  'variant' in serve
    ? [{ variant: serve.variant, weight: all }]
    : serve.split.filter(({ weight }) => weight > 0)

const isNoException = (parts: readonly Part[] | undefined, rest: string) =>
  parts?.every(({ variant }) => variant === rest) ?? false

/** The shares of a last rule, and the variant of the rest: the largest, of equal ones the last. */
function restOf(serve: Rule['serve']): [split: readonly Part[], rest: string] {
  if ('variant' in serve) return [[], serve.variant]
  const { variant: rest } = serve.split.reduce(
    (largest, each) => (each.weight >= largest.weight ? each : largest),
    { variant: '', weight: 0 }
  )
  return [partsOf(serve).filter(({ variant }) => variant !== rest), rest]
}

function whoOf({ from, until, ...when }: When, isWhole = false) {
  const { users, rolesAny, scopes, segmentsAny, attributes = [], appSettings = [], ...more } = when
  const [shorten, oneOf] = isWhole ? [whole, oneOfAll] : [shortened, oneOfFew]
  const isPlace = ({ name, op }: Condition) => name === 'country' && (op === 'in' || op === 'notIn')
  const places = attributes
    .filter(isPlace)
    .map(({ op, values }) => `${op === 'in' ? 'in' : 'outside'} ${oneOf(values)}`)
  const judged = ({ name, op, values }: Condition) =>
    `${shorten(name)} ${comparisons[op]} ${oneOf(values)}`
  const others = [
    ...attributes.filter((condition) => !isPlace(condition)).map(judged),
    ...appSettings.map((condition) => `app setting ${judged(condition)}`)
  ]
  return [
    users
      ? isWhole
        ? `users ${oneOf(users)}`
        : namesOf(users)
      : isForEverybody({ when })
        ? 'everybody'
        : 'users',
    ...places,
    ...(rolesAny ? [`with the role ${oneOf(rolesAny.map(isWhole ? whole : nameOfRole))}`] : []),
    ...(scopes ? [`in the scope ${oneOf(scopes)}`] : []),
    ...(segmentsAny ? [`in the segment ${oneOf(segmentsAny)}`] : []),
    ...(others.length > 0 ? [`whose ${others.join(' and ')}`] : []),
    // Parts that this page does not know.
    ...(Object.keys(more).length > 0
      ? [`under more conditions (${isWhole ? JSON.stringify(more) : Object.keys(more)})`]
      : []),
    ...(from === undefined ? [] : [`from ${formatTime(from)}`]),
    ...(until === undefined ? [] : [`until ${formatTime(until)}`])
  ].join(' ')
}

/** One or two people by name, as far as the page knows them; more are counted. */
function namesOf(users: readonly string[]) {
  const names = users.flatMap((id) => userNames.value[id] ?? [])
  const areKnown = users.length < 3 && names.length === users.length
  return areKnown
    ? listed(names.map((name) => shortened(name)))
    : counted(users.length, 'listed user')
}

/** At most four of them, in words. */
function oneOfFew(values: readonly unknown[]) {
  const shown = values.slice(0, values.length > 4 ? 3 : 4).map((value) => shortened(String(value)))
  return values.length > shown.length
    ? `${shown.join(', ')} or ${values.length - 3} others`
    : listed(shown)
}

/** Texts that look like numbers are in quotation marks. */
const oneOfAll = (values: readonly (string | number | boolean)[]) =>
  listed(values.map((value) => linesOf([value])))

const listed = (texts: readonly string[]) =>
  texts.length < 2 ? (texts[0] ?? '?') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`

const whole = (text: string) => text
/** Not just after a bracket has opened. */
export const shortened = (text: string, most = 40) =>
  text.length > most ? `${text.slice(0, most - 1).replace(/ \([^)]{0,9}$/, '')}…` : text

/** Says what differs between two versions of a flag; empty if nothing does. */
export function changesOf(before: Flag, after: Flag): string[] {
  const changes: string[] = []
  if (before.state !== after.state) changes.push(after.state)
  if (before.public !== after.public) changes.push(after.public ? 'public' : 'no longer public')
  if (before.permanent !== after.permanent) {
    changes.push(after.permanent ? 'permanent' : 'no longer permanent')
  }
  if (before.description !== after.description) changes.push('description')
  changes.push(...variantChanges(before.variants, after.variants))
  for (const [place, title] of [
    ['defaultVariant', 'default'],
    ['offVariant', 'when disabled']
  ] as const) {
    if (before[place] === after[place]) continue
    changes.push(`${title}: ${nameOf(before[place], before)} → ${nameOf(after[place], after)}`)
  }
  return [...changes, ...ruleChanges(before, after)]
}

/** One line for people. A long list is counted. */
export const inWords = (changes: readonly string[]) =>
  changes.length > 3
    ? `${changes.slice(0, 2).join('; ')}; ${changes.length - 2} more changes`
    : changes.join('; ')

function variantChanges(before: Flag['variants'], after: Flag['variants']) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => {
    if (!differ(before[name], after[name])) return []
    const done = !(name in before) ? 'added' : name in after ? 'changed' : 'removed'
    return [`variant ${name || 'without a name'} ${done}`]
  })
}

/** Rules have no names: what is the same at both ends has not changed. */
function ruleChanges({ rules: before }: Flag, after: Flag): string[] {
  const { rules } = after
  const shorter = Math.min(before.length, rules.length)
  let start = 0
  while (start < shorter && !differ(before[start], rules[start])) start += 1
  let end = 0
  while (end < shorter - start && !differ(before.at(-1 - end), rules.at(-1 - end))) end += 1
  const gone = before.slice(start, before.length - end)
  const come = rules.slice(start, rules.length - end)
  const numbers = (count: number) =>
    count === 1 ? `rule ${start + 1}` : `rules ${start + 1} to ${start + count}`
  if (gone.length === 0) {
    const [rule] = come
    if (!rule) return []
    return [`${numbers(come.length)} added${come.length > 1 ? '' : `: ${clauseOf(rule, after)}`}`]
  }
  if (come.length === 0) return [`${numbers(gone.length)} removed`]
  if (gone.length !== come.length) return [`${before.length} → ${rules.length} rules`]
  const texts = gone.map((each) => JSON.stringify(each))
  const isMoved = gone.length > 1 && come.every((each) => texts.includes(JSON.stringify(each)))
  return [isMoved ? `order of ${numbers(come.length)}` : `${numbers(come.length)} changed`]
}
