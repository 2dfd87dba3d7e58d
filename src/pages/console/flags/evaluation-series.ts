import type { Schemas } from '../../shared/client.ts'

/** The colours of successes and failures come last. */
const tones = [3, 2, 0, 1]

/** Series to plot: the three most frequent variants, and all others as one. */
export function seriesOf({ days, variants }: Schemas['FlagEvaluations']) {
  const all = variants.map(({ variant, single, bulk }) => ({
    name: variant ?? 'no value',
    values: days.map((_, day) => (single[day] ?? 0) + (bulk[day] ?? 0))
  }))
  const others = all.slice(3)
  const rest = {
    name: `${others.length} others`,
    values: days.map((_, day) => others.reduce((sum, { values }) => sum + (values[day] ?? 0), 0))
  }
  const shown = others.length > 1 ? [...all.slice(0, 3), rest] : all
  return shown.map((each, place) => ({ ...each, tone: tones[place] ?? 1 }))
}
