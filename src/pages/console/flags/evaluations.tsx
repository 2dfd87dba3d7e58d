import { Loaded, useGet } from '../../shared/load.tsx'
import { formats } from '../counts.ts'
import { Plot } from '../plot.tsx'
import { seriesOf } from './evaluation-series.ts'

const useEvaluations = (key: string) =>
  useGet('/api/admin/flags/{key}/evaluations', { path: { key } })

/** Loads them along with the flag, before there is a place for them. */
export function EarlyEvaluations({ flagKey }: { flagKey: string }) {
  useEvaluations(flagKey)
  return null
}

/** Which variants apps got in the last 30 days. */
export function Evaluations({ flagKey: key }: { flagKey: string }) {
  const counted = useEvaluations(key)
  return (
    <section class="evaluations" aria-labelledby="evaluations-heading">
      <h2 id="evaluations-heading" class={counted.value?.variants.length ? 'unseen' : undefined}>
        Evaluations
      </h2>
      <Loaded from={counted}>
        {(counts) =>
          counts.variants.length === 0 ? (
            <p>No app has asked for this flag in the last 30 days.</p>
          ) : (
            <Plot
              title="Evaluations in the last 30 days"
              kind="bars"
              times={counts.days.map((day) => Date.parse(day))}
              format={formats.day}
              series={seriesOf(counts)}
            />
          )
        }
      </Loaded>
    </section>
  )
}
