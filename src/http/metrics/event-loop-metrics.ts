import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { IntervalHistogram } from 'node:perf_hooks'
import { setImmediate as timersHaveRun } from 'node:timers/promises'
import type client from 'prom-client'
import { runEvery } from '../../repeat.ts'

const minute = 60_000

/** By the name in their metrics: what they are called, and how they are read. */
const figures: Record<string, [name: string, of: (delays: IntervalHistogram) => number]> = {
  min: ['minimum', ({ min }) => min],
  max: ['maximum', ({ max }) => max],
  mean: ['mean', ({ mean }) => mean],
  stddev: ['standard deviation', ({ stddev }) => stddev],
  p50: ['50th percentile', (delays) => delays.percentile(50)],
  p90: ['90th percentile', (delays) => delays.percentile(90)],
  p99: ['99th percentile', (delays) => delays.percentile(99)]
}

const prefix = 'nodejs_eventloop_lag'

/**
 * The delays of the event loop in the last full minute, or since the start in the first. The gauges
 * of the library with these names are replaced: they are about the time since they were last read,
 * so that two readers take it from each other. Returns what ends the measurement.
 */
export function addEventLoopMetrics(
  { Gauge }: Pick<typeof client, 'Gauge'>,
  registry: client.Registry,
  period = minute
) {
  const delays = monitorEventLoopDelay()
  delays.enable()
  /** Undefined before the first measurement: an empty histogram returns its bounds. */
  const read = () =>
    delays.count === 0
      ? undefined
      : new Map(Object.entries(figures).map(([figure, [, of]]) => [figure, of(delays)]))
  let last: ReturnType<typeof read> | undefined
  const periods = runEvery(period, async () => {
    // A delay that made this timer late may not have been measured yet.
    await timersHaveRun()
    last = read()
    delays.reset()
  })
  for (const [figure, [what]] of Object.entries(figures)) {
    const name = `${prefix}_${figure}_seconds`
    registry.removeSingleMetric(name)
    const help = `Event loop delay in the last full minute: ${what}`
    const collect = function (this: client.Gauge) {
      this.set(((last ?? read())?.get(figure) ?? NaN) / 1e9)
    }
    registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
  }
  return async () => {
    await periods.stop()
    delays.disable()
  }
}
