import type client from 'prom-client'

/** The state of the outbox, for metrics. */
export interface MailReadings {
  /** Number of deliveries of this instance by outcome, since its start. */
  totals: Readonly<Record<string, number>>
  /** What waits, with the age of the oldest. Undefined when the database does not answer. */
  readBacklog(): Promise<{ pending: number; oldestSeconds: number } | undefined>
}

/** The library is an argument, because only src/http/metrics/metrics.ts loads it. */
export function addMailMetrics(
  { Counter, Gauge }: Pick<typeof client, 'Counter' | 'Gauge'>,
  registers: client.Registry[],
  { totals, readBacklog }: MailReadings
) {
  // The two gauges are collected at the same time, and share one read.
  let reading: ReturnType<typeof readBacklog> | undefined
  const read = () =>
    (reading ??= readBacklog().finally(() => {
      reading = undefined
    }))
  const ofBacklog = (name: string, help: string, value: 'pending' | 'oldestSeconds') =>
    new Gauge({
      name,
      help,
      labelNames: [],
      registers,
      async collect() {
        const backlog = await read()
        // Without labels the library would show a zero.
        this.remove()
        if (backlog) this.set(backlog[value])
      }
    })
  const ofTotals = (name: string, help: string) =>
    new Counter({
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
