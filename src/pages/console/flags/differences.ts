import { diffLines } from '../../../domain/line-diff.ts'
import { capital } from '../../shared/capital.ts'
import { counted } from '../grouped.ts'
import type { Flag } from './form.ts'
import { clauseOf, shortened as cut, describeMembers } from './sentences.ts'

/** What a change can change. */
export const titles = {
  type: 'Type',
  description: 'Description',
  state: 'State',
  public: 'Public',
  permanent: 'Permanent',
  defaultVariant: 'Default variant',
  offVariant: 'When disabled',
  variants: 'Variants',
  rules: 'Rules',
  when: 'Conditions'
} as const

interface FieldDifference {
  title: string
  /** Of both in words, as `diffLines` has them. Of a new one, all of it. */
  words: string[]
  /** The same as indented JSON, for what words do not tell, or only in part. */
  json: string[]
  /** Whether the words tell what differs. */
  isTold: boolean
}

/** A flag or a segment, or the parts of it that are known. */
type Part = keyof typeof titles

type Described = Partial<Flag> & { when?: Flag['rules'][number]['when'] }

/** Of a part with many more lines, these are shown at first. */
const most = 40

/** A line with more characters is a list. */
const longest = 1000

type State = object | null

const differing = (...states: [State, State]) => {
  const both = states.map((state) => (state ?? {}) as Described)
  return (Object.keys(titles) as Part[]).flatMap((part) => {
    const json = both.map((state) => jsonOf(state[part]))
    return json[0] === json[1] ? [] : [{ part, both, json }]
  })
}

/** Their titles, such as “rules, description”. */
export const partsOf = (...states: [State, State]) =>
  differing(...states)
    .map(({ part }) => titles[part].toLowerCase())
    .join(', ')

/** The parts that differ between two states of a flag, or all parts of a new one. */
export function differencesOf(before: State, after: State): FieldDifference[] {
  return differing(before, after).map(({ part, both, json }) => {
    const words = both.map((state) => wordsOf(state, part))
    // Such as the seconds of a time, or a list that is read better as JSON.
    const isJson =
      words[0] === words[1] || words.flatMap(linesOf).some(({ length }) => length > longest)
    const signed = (texts: readonly string[]) => {
      const [one = [], other = []] = texts.map(linesOf)
      return before ? diffLines(one, other) : other
    }
    const near = (lines: string[]) => (before ? shortened(lines) : lines)
    const told = signed(isJson ? both.map((state) => wordsOf(state, part, false)) : words)
    const isTold = !before || told.some((line) => !line.startsWith(' '))
    const isNone = !before && words[1] === ''
    return {
      title: titles[part],
      words: isNone ? ['None'] : isTold ? near(told) : part === 'when' ? told : [],
      json: isJson && !isNone ? near(signed(json)) : [],
      isTold
    }
  })
}

/** What is shown at first, and the rest if it is long. */
export const folded = (lines: readonly string[]) =>
  lines.length > 1.5 * most ? [lines.slice(0, most), lines.slice(most)] : [lines, []]

const jsonOf = (value: unknown) => JSON.stringify(value, undefined, 2) ?? ''

/** A part for people: rules are one sentence a line, in their order. */
function wordsOf(state: Described, part: Part, isWhole = true) {
  const { type = 'boolean', variants = {}, rules = [], when = {}, [part]: value } = state
  if (value === undefined) return ''
  if (part === 'rules') {
    return rules.map((rule) => capital(clauseOf(rule, { type, variants }, isWhole))).join('\n')
  }
  if (part === 'when') return describeMembers(when, isWhole)
  if (part === 'variants') {
    return Object.entries(variants)
      .map(([name, each]) => `${name}: ${isWhole ? jsonOf(each) : cut(JSON.stringify(each))}`)
      .join('\n')
  }
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return part === 'state' ? capital(String(value)) : String(value)
}

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'))

/** Far from what has changed, lines are only counted. */
function shortened(lines: readonly string[]): string[] {
  const isNear = (n: number) =>
    lines.slice(Math.max(0, n - 3), n + 4).some((line) => !line.startsWith(' '))
  const shown: string[] = []
  let hidden = 0
  const count = () => {
    if (hidden > 0) shown.push(`  … ${counted(hidden, 'unchanged line')}`)
    hidden = 0
  }
  for (const [n, line] of lines.entries()) {
    if (!isNear(n)) hidden += 1
    else {
      count()
      shown.push(line)
    }
  }
  count()
  return shown
}
