import { Type } from '@sinclair/typebox'
import { closed, nullable, oneOf, text } from './primitives.ts'

const metricTypes = ['counter', 'gauge', 'histogram', 'summary'] as const
const name = text(200, {
  description: 'Name of the metric, as in Prometheus',
  examples: ['portal_logins_total']
})

const Metric = closed({
  name,
  help: text(500, { description: 'Meaning of the metric' }),
  type: oneOf(metricTypes, { description: 'Type of the metric, as in Prometheus' }),
  values: Type.Array(
    closed({
      name: text(200, {
        description:
          'Name of the value; those of histograms end with `_bucket`, `_sum` or `_count`',
        examples: ['portal_logins_total']
      }),
      labels: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: text(200, { description: 'Value of a label' }),
        maxProperties: 10,
        description: 'Labels by name',
        examples: [{ outcome: 'success' }]
      }),
      value: nullable(Type.Number({ description: 'The value; null if there is none yet' }))
    }),
    { maxItems: 100_000, description: 'A value for each combination of labels' }
  )
})

export const Metrics = closed(
  { metrics: Type.Array(Metric, { maxItems: 1000, description: 'All metrics' }) },
  { $id: 'Metrics', description: 'The metrics of this instance' }
)
