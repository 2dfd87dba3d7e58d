import { diffLines } from '../../../common/line-diff.ts'
import { capital } from '../../shared/capital.ts'
import { counted } from '../grouped.ts'
import type { Flag } from './form.ts'
import { describeMembers, ruleSentence } from './sentences.ts'

/** The parts of a flag or a segment that can change. */
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

interface PartDifference {
  title: string
  /** Lines as `diffLines` returns them; all lines of a new flag. */
  lines: string[]
  /** Whether the lines are JSON, because words would be too long or would not differ. */
  isJson: boolean
}

/** A flag or a segment, or the parts of it that are known. */
type Part = keyof typeof titles

type Described = Partial<Flag> & { when?: Flag['rules'][number]['when'] }

/** Lines of a long part that are shown at first. */
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

/** The titles of the parts that differ, such as “rules, description”. */
export const partsOf = (...states: [State, State]) =>
  differing(...states)
    .map(({ part }) => titles[part].toLowerCase())
    .join(', ')

/** The parts that differ between two states of a flag, or all parts of a new one. */
export function differencesOf(before: State, after: State): PartDifference[] {
  return differing(before, after).map(({ part, both, json }) => {
    const title = titles[part]
    const words = both.map((state) => wordsOf(state, part))
    if (!before && words[1] === '') return { title, lines: ['None'], isJson: false }
    // Words leave out the seconds of a time, and a long list is read better as JSON.
    const isJson =
      words[0] === words[1] || words.flatMap(linesOf).some(({ length }) => length > longest)
    const [one = [], other = []] = (isJson ? json : words).map(linesOf)
    return { title, lines: before ? shortened(diffLines(one, other)) : other, isJson }
  })
}

/** The lines that are shown at first, and the rest if there are many. */
export const folded = (lines: readonly string[]) =>
  lines.length > 1.5 * most ? [lines.slice(0, most), lines.slice(most)] : [lines, []]

const jsonOf = (value: unknown) => JSON.stringify(value, undefined, 2) ?? ''

/** A part for people: rules are one sentence a line, in their order. */
function wordsOf(state: Described, part: Part) {
  const { type = 'boolean', variants = {}, rules = [], when = {}, [part]: value } = state
  if (value === undefined) return ''
  if (part === 'rules') {
    return rules.map((rule) => ruleSentence(rule, { type, variants }, true)).join('\n')
  }
  if (part === 'when') return describeMembers(when, true)
  if (part === 'variants') {
    return Object.entries(variants)
      .map(([name, each]) => `${name}: ${jsonOf(each)}`)
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
