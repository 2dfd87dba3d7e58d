import type { Schemas } from '../shared/client.ts'

type Metric = Schemas['Metrics']['metrics'][number]
export type Value = Metric['values'][number]

/** Milliseconds from one sample to the next. */
export const interval = 5000
/** Five minutes. */
export const most = 300_000 / interval

export interface Sample {
  at: number
  metrics: Metric[]
  /** The sum of all values by their name. None for what has no value yet. */
  totals: ReadonlyMap<string, number>
}

/** Oldest first, one for each interval since the first: undefined where none was taken. */
export type Samples = readonly (Sample | undefined)[]

/** The samples of the last five minutes, of which this is the newest. */
export function withSample(before: Samples, { metrics }: Schemas['Metrics'], at: number): Samples {
  const totals = new Map<string, number>()
  for (const { name, value } of metrics.flatMap(({ values }) => values)) {
    if (value !== null) totals.set(name, (totals.get(name) ?? 0) + value)
  }
  const last = before.at(-1)
  const missed = last ? Math.round((at - last.at) / interval) - 1 : 0
  const gap = new Array<undefined>(Math.max(0, Math.min(missed, most))).fill(undefined)
  const sample = { at, metrics, totals }
  return [...before, ...gap, sample].slice(-most)
}

/** The level at each sample. */
export const levels = (samples: Samples, name: string, factor = 1) =>
  samples.map((sample) => {
    const level = sample?.totals.get(name)
    return level === undefined ? null : level * factor
  })

/** How much a total has grown for each of another, or for each second, from sample to sample. */
export const growth = (samples: Samples, name: string, per?: string, factor = 1) =>
  samples.map((sample, index) => {
    const before = samples[index - 1]
    if (!sample || !before) return null
    const more = (of: string) => (sample.totals.get(of) ?? 0) - (before.totals.get(of) ?? 0)
    const by = per ? more(per) : (sample.at - before.at) / 1000
    // A smaller total is that of a new process.
    const grown = more(name)
    return by > 0 && grown >= 0 ? (grown / by) * factor : per && by === 0 ? 0 : null
  })
