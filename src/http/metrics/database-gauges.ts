import type client from 'prom-client'

/** Undefined while the database does not answer, and where there is nothing to show. */
type Read<Name extends string> = () => Promise<Record<Name, number> | undefined>

export interface DatabaseReadings {
  /** Undefined where no mail can be sent. */
  readBacklog?: Read<'pending' | 'oldestSeconds'> | undefined
  /** The partitions of the activity, if it is partitioned. */
  readPartitions: Read<'monthsLeft' | 'strays'>
}

/** The library is an argument, because only src/http/metrics/metrics.ts loads it. */
export function addDatabaseGauges(
  library: Pick<typeof client, 'Gauge'>,
  registers: client.Registry[],
  { readBacklog, readPartitions }: DatabaseReadings
) {
  const ofPartitions = sharedGauges(library, registers, readPartitions)
  ofPartitions('portal_activity_months_left', 'Partitions of the activity ahead', 'monthsLeft')
  ofPartitions('portal_activity_strays', 'Records in the default partition', 'strays')
  if (!readBacklog) return
  const ofBacklog = sharedGauges(library, registers, readBacklog)
  ofBacklog('portal_outbox_pending', 'Mail that waits for delivery', 'pending')
  ofBacklog(
    'portal_outbox_oldest_seconds',
    'Age of the oldest mail that waits for delivery',
    'oldestSeconds'
  )
}

/**
 * Gauges that are collected at the same time share one read. When it finds nothing, none of them
 * has a value.
 */
function sharedGauges<Name extends string>(
  { Gauge }: Pick<typeof client, 'Gauge'>,
  registers: client.Registry[],
  read: Read<Name>
) {
  let reading: ReturnType<typeof read> | undefined
  const readOnce = () =>
    (reading ??= read().finally(() => {
      reading = undefined
    }))
  return (name: string, help: string, value: Name) =>
    new Gauge({
      name,
      help,
      labelNames: [],
      registers,
      async collect() {
        const found = await readOnce()
        // Without labels the library would show a zero.
        this.remove()
        if (found) this.set(found[value])
      }
    })
}
