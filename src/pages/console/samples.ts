import type { Schemas } from '../shared/client.ts'

type Metric = Schemas['Metrics']['metrics'][number]
export type Value = Metric['values'][number]

/** Milliseconds from one sample to the next. */
export const interval = 5000
/** Five minutes. */
const most = 300_000 / interval

export interface Sample {
  at: number
  metrics: Metric[]
  /** The sum of all values with this name. */
  total(name: string): number
}

/** Oldest first, one for each interval: undefined where none was taken. */
export type Samples = readonly (Sample | undefined)[]

/** The samples of the last five minutes, of which this is the newest. */
export function withSample(before: Samples, { metrics }: Schemas['Metrics'], at: number): Samples {
  const totals = new Map<string, number>()
  for (const { name, value } of metrics.flatMap(({ values }) => values)) {
    totals.set(name, (totals.get(name) ?? 0) + (value ?? 0))
  }
  const last = before.at(-1)
  const missed = last ? Math.round((at - last.at) / interval) - 1 : most
  const gap = new Array<undefined>(Math.max(0, Math.min(missed, most))).fill(undefined)
  const sample = { at, metrics, total: (name: string) => totals.get(name) ?? 0 }
  return [...before, ...gap, sample].slice(-most)
}

/** The level at each sample. */
export const levels = (samples: Samples, name: string, factor = 1) =>
  samples.map((sample) => (sample ? sample.total(name) * factor : null))

/** How much a total has grown for each of another, or for each second, from sample to sample. */
export const growth = (samples: Samples, name: string, per?: string, factor = 1) =>
  samples.map((sample, index) => {
    const before = samples[index - 1]
    if (!sample || !before) return null
    const by = per ? sample.total(per) - before.total(per) : (sample.at - before.at) / 1000
    // A smaller total is that of a new process.
    const more = sample.total(name) - before.total(name)
    return by > 0 && more >= 0 ? (more / by) * factor : per && by === 0 ? 0 : null
  })
