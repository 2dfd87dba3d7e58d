import { median, round } from '../figures.ts'

/** How a cost grows with a size. */
export interface Line {
  what: string
  unit: string
  /** Whether twice the size should cost twice as much, instead of the same. */
  isLinear: boolean
  /** In the order of the sizes. */
  points: { size: number; cost: number }[]
}

/** The line through the medians of the rounds. */
export const lineOf = (
  about: Omit<Line, 'points'>,
  costs: ReadonlyMap<number, readonly number[]>
): Line => ({
  ...about,
  points: Array.from(costs, ([size, all]) => ({ size, cost: round(median([...all])) })).sort(
    (one, other) => one.size - other.size
  )
})

/** The first size that costs half as much again as the one before lets expect. */
export const bendOf = ({ points, isLinear }: Line) =>
  points.find(({ size, cost }, n) => {
    const before = points[n - 1]
    if (!before) return false
    return cost > 1.5 * before.cost * (isLinear ? size / before.size : 1)
  })?.size

/** A row of the page. */
export function rowOf(line: Line) {
  const { what, unit, isLinear, points } = line
  const bend = bendOf(line)
  return {
    what,
    unit,
    'cost by size': points
      .map(({ size, cost }) => `${size.toLocaleString('en')}: ${cost}`)
      .join('; '),
    'should be': isLinear ? 'a multiple' : 'the same',
    'bends at': bend === undefined ? 'nowhere' : bend.toLocaleString('en')
  }
}
