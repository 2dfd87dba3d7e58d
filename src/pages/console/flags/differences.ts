import { diffLines } from '../../../domain/line-diff.ts'

/** What a change can change. */
export const titles: Record<string, string> = {
  type: 'Type',
  description: 'Description',
  state: 'State',
  public: 'Public',
  permanent: 'Permanent',
  defaultVariant: 'Default variant',
  offVariant: 'Variant when disabled',
  variants: 'Variants',
  rules: 'Rules',
  when: 'Conditions'
}

interface Difference {
  title: string
  /** Both as indented JSON; empty where there is none. */
  before: string
  after: string
  /** Those of both, as `diffLines` has them; undefined if there are too many to compare. */
  lines: string[] | undefined
}

/** Of both texts together. */
const most = 2000

/** The parts that differ between two states of a flag. */
export function differencesOf(before: object | null, after: object | null): Difference[] {
  const textOf = (state: object | null, part: string) =>
    JSON.stringify((state as Record<string, unknown> | null)?.[part], undefined, 2) ?? ''
  return Object.entries(titles).flatMap(([part, title]) => {
    const [one, other] = [textOf(before, part), textOf(after, part)]
    if (one === other) return []
    const [removed, added] = [linesOf(one), linesOf(other)]
    const isLong = removed.length + added.length > most
    const lines = isLong ? undefined : shortened(diffLines(removed, added))
    return [{ title, before: one, after: other, lines }]
  })
}

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'))

/** Far from what has changed, lines are only counted. */
function shortened(lines: readonly string[]): string[] {
  const isNear = (n: number) =>
    lines.slice(Math.max(0, n - 3), n + 4).some((line) => !line.startsWith(' '))
  const shown: string[] = []
  let hidden = 0
  const count = () => {
    if (hidden > 0) shown.push(`  … ${hidden} unchanged`)
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
