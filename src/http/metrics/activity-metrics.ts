import type client from 'prom-client'
import { sharedGauges } from './shared-gauges.ts'

/** Undefined when the activity is not partitioned, or the database does not answer. */
export type ActivityReadings = () => Promise<{ monthsLeft: number; strays: number } | undefined>

export function addActivityMetrics(
  library: Pick<typeof client, 'Gauge'>,
  registers: client.Registry[],
  readPartitions: ActivityReadings
) {
  const gauge = sharedGauges(library, registers, readPartitions)
  gauge('portal_activity_months_left', 'Partitions of the activity ahead', 'monthsLeft')
  gauge('portal_activity_strays', 'Records in the default partition', 'strays')
}
