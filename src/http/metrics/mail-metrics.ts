import type client from 'prom-client'
import { sharedGauges } from './shared-gauges.ts'

/** The state of the outbox, for metrics. */
export interface MailReadings {
  /** Number of deliveries of this instance by outcome, since its start. */
  totals: Readonly<Record<string, number>>
  /** What waits, with the age of the oldest. Undefined when the database does not answer. */
  readBacklog(): Promise<{ pending: number; oldestSeconds: number } | undefined>
}

export function addMailMetrics(
  library: Pick<typeof client, 'Counter' | 'Gauge'>,
  registers: client.Registry[],
  { totals, readBacklog }: MailReadings
) {
  const ofBacklog = sharedGauges(library, registers, readBacklog)
  const ofTotals = (name: string, help: string) =>
    new library.Counter({
      name,
      help,
      labelNames: ['outcome'],
      registers,
      collect() {
        this.reset()
        for (const [outcome, count] of Object.entries(totals)) this.inc({ outcome }, count)
      }
    })

  ofBacklog('portal_outbox_pending', 'Mail that waits for delivery', 'pending')
  ofBacklog(
    'portal_outbox_oldest_seconds',
    'Age of the oldest mail that waits for delivery',
    'oldestSeconds'
  )
  ofTotals('portal_outbox_deliveries_total', 'Deliveries of this instance by outcome')
}
