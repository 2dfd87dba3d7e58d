import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as timersHaveRun } from 'node:timers/promises'
import type client from 'prom-client'
import { objectKeys } from '../../domain/permissions.ts'
import { runEvery } from '../../repeat.ts'

const minute = 60_000

const figures = {
  min: 'minimum',
  max: 'maximum',
  mean: 'mean',
  stddev: 'standard deviation',
  p50: '50th percentile',
  p90: '90th percentile',
  p99: '99th percentile'
} as const
type Figure = keyof typeof figures

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
  const read = (): Record<Figure, number> | undefined =>
    delays.count === 0
      ? undefined
      : {
          min: delays.min,
          max: delays.max,
          mean: delays.mean,
          stddev: delays.stddev,
          p50: delays.percentile(50),
          p90: delays.percentile(90),
          p99: delays.percentile(99)
        }
  let last: ReturnType<typeof read> | undefined
  const periods = runEvery(period, async () => {
    // A delay that made this timer late may not have been measured yet.
    await timersHaveRun()
    last = read()
    delays.reset()
  })
  const gauge = (figure: Figure, name = `${prefix}_${figure}_seconds`) => {
    registry.removeSingleMetric(name)
    return new Gauge({
      name,
      help: `Event loop delay in the last full minute: ${figures[figure]}`,
      registers: [registry],
      collect() {
        this.set(((last ?? read())?.[figure] ?? NaN) / 1e9)
      }
    })
  }
  for (const figure of objectKeys(figures)) gauge(figure)
  return async () => {
    await periods.stop()
    delays.disable()
  }
}
