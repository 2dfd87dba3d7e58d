import type client from 'prom-client'

/**
 * Gauges that are collected at the same time share one read. When it finds nothing, none of them
 * has a value. The library is an argument, because only src/http/metrics/metrics.ts loads it.
 */
export function sharedGauges<T extends Record<string, number>>(
  { Gauge }: Pick<typeof client, 'Gauge'>,
  registers: client.Registry[],
  read: () => Promise<T | undefined>
) {
  let reading: ReturnType<typeof read> | undefined
  const readOnce = () =>
    (reading ??= read().finally(() => {
      reading = undefined
    }))
  return (name: string, help: string, value: keyof T) =>
    new Gauge({
      name,
      help,
      labelNames: [],
      registers,
      async collect() {
        const found = await readOnce()
        // Without labels the library would show a zero.
        this.remove()
        if (found) this.set(found[value] as number)
      }
    })
}
