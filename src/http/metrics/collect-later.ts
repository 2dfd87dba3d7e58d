import type { Answered, Metrics } from './metrics.ts'

/** Maximum number of responses that wait to be counted. */
const mostWaiting = 10_000

/**
 * Keeps responses until the metrics are read for the first time or there are many, because creating
 * metrics takes a tenth of a start. None is lost.
 */
export function collectLater(create: () => Promise<Metrics>): Metrics {
  const waiting: Answered[] = []
  let created: Metrics | undefined
  let creating: Promise<Metrics> | undefined
  const load = () =>
    (creating ??= create().then((metrics) => {
      for (const answered of waiting.splice(0)) metrics.count(answered)
      return (created = metrics)
    }))
  return {
    count(answered) {
      if (created) created.count(answered)
      else if (waiting.push(answered) === mostWaiting) void load()
    },
    read: async () => (await load()).read(),
    async close() {
      if (creating) await (await creating).close()
    }
  }
}
