import type client from 'prom-client'

/** Undefined when the activity is not partitioned, or the database does not answer. */
export type ActivityReadings = () => Promise<{ monthsLeft: number; strays: number } | undefined>

/** The library is an argument, because only src/http/metrics/metrics.ts loads it. */
export function addActivityMetrics(
  { Gauge }: Pick<typeof client, 'Gauge'>,
  registers: client.Registry[],
  readPartitions: ActivityReadings
) {
  // The gauges are collected at the same time, and share one read.
  let reading: ReturnType<ActivityReadings> | undefined
  const read = () =>
    (reading ??= readPartitions().finally(() => {
      reading = undefined
    }))
  const gauge = (name: string, help: string, value: 'monthsLeft' | 'strays') =>
    new Gauge({
      name,
      help,
      labelNames: [],
      registers,
      async collect() {
        const coverage = await read()
        // Without labels the library would show a zero.
        this.remove()
        if (coverage) this.set(coverage[value])
      }
    })
  gauge('portal_activity_months_left', 'Partitions of the activity ahead', 'monthsLeft')
  gauge('portal_activity_strays', 'Records in the default partition', 'strays')
}
