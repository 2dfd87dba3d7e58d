import { objectKeys } from '../../domain/permissions.ts'
import { createServer } from '../node-http.ts'
import { addEventLoopMetrics } from './event-loop-metrics.ts'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** The outcomes by status. All others are errors. */
const outcomes: Record<'logins' | 'checks', Record<number, string>> = {
  logins: {
    200: 'success',
    202: 'second-factor',
    401: 'refused',
    429: 'throttled',
    503: 'overloaded'
  },
  checks: { 204: 'allowed', 401: 'signed-out', 403: 'denied', 503: 'unavailable' }
}

/** The statuses that alert an operator. Others from 500 on are up to the client. */
const failed = [500, 503]

/** The figures that Prometheus collects. Names of counters end with `_total`; others are gauges. */
const metrics = {
  portal_ready: 'Whether this instance can take traffic, as reported by /health',
  portal_hashes_running: 'Password hashes that are running',
  portal_hashes_waiting: 'Requests that wait for a password hash',
  portal_database_in_flight: 'Statements and transactions that run or wait for a connection',
  portal_database_late_commits:
    'Connections whose COMMIT has taken more than 3 seconds, as without a synchronous standby',
  portal_database_connections_max: 'DATABASE_POOL_MAX',
  portal_freshness_reads_total: 'Reads of the epochs, each shared by all waiting requests',
  portal_freshness_reads_failed_total: 'Reads of the epochs that failed or timed out',
  portal_freshness_read_seconds_total: 'Total duration of reads of the epochs',
  portal_freshness_shard_reads_total:
    'Reads of the parts of shards whose users had changed, each shared by all waiting requests',
  portal_principals_loaded_total:
    'Principals read from the database because they were new or may have changed',
  portal_untrusted_proxies:
    'Peers that sent X-Forwarded-For since the start and are not in TRUST_PROXY, up to 20',
  portal_outbox_pending: 'Number of mails that wait for delivery',
  portal_outbox_oldest_seconds: 'Age of the oldest of the mails that wait for delivery',
  portal_outbox_deliveries_total: 'Deliveries of this instance by outcome',
  portal_webhook_pending: 'Number of events that wait for webhooks',
  portal_webhook_oldest_seconds: 'Age of the oldest of the events that wait for webhooks',
  portal_webhook_failing: 'Webhooks whose last delivery failed',
  portal_webhook_deliveries_total:
    'Attempts of this instance to deliver events to webhooks and functions of the app, by outcome',
  portal_confirmation_mails_hour:
    'Number of mails that ask to confirm an address, in the last hour',
  portal_confirmation_mails_recent:
    'Number of the last mails that ask to confirm an address, up to 100',
  portal_confirmation_mails_confirmed: 'How many of these were confirmed',
  portal_challenge_difficulty:
    'Expected number of hashes of a challenge for a new source; 0 while none is needed',
  portal_settings_rejected_total:
    'Reads of settings that left out what SETTINGS_SCHEMA rejects, by part',
  portal_details_dropped_total:
    'Details of activity records that the app does not declare, by action',
  portal_app_failures_total:
    'Errors in the code of the app that nothing caught, and blocks of the event loop, by kind'
} as const

/**
 * Gauges of the library with the name of a counter, which monitoring takes for one. The sums of
 * others, by type: `nodejs_active_resources` and so on.
 */
const misnamed = ['handles', 'requests', 'resources'].map((name) => `nodejs_active_${name}_total`)

/** A number, or undefined if there is none to show. */
type Read = () => number | Promise<number | undefined>

/** The numbers of a metric by the values of its label. */
interface Counts {
  label: string
  counts: Readonly<Record<string, number>>
}

/** Undefined for a metric that this instance does not have. */
type Readings = Record<keyof typeof metrics, Read | Counts | undefined>

interface Answered {
  method: string
  /** The path pattern. */
  route: string
  status: number
  seconds: number
  counts: keyof typeof outcomes | undefined
}

/** The metrics of this instance. Only this module loads the library. */
export async function createMetrics(readings: Readings) {
  const { default: client } = await import('prom-client')
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = client
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  const close = addEventLoopMetrics(client, registry)

  const durations = new Histogram({
    name: 'portal_http_request_duration_seconds',
    help: 'Response time by method, route pattern and status',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers
  })
  const counter = <L extends string>(name: string, help: string, label: L) =>
    new Counter({ name, help, labelNames: [label], registers })
  const totals = {
    logins: counter('portal_logins_total', 'Logins by outcome', 'outcome'),
    checks: counter('portal_checks_total', 'Checks for other services by outcome', 'outcome')
  }
  const failures = counter('portal_server_errors_total', 'Responses with 500 or 503', 'status')
  // A counter that is born with 1 has no increase, so the first of each kind would be missed.
  for (const kind of objectKeys(outcomes)) {
    for (const outcome of [...Object.values(outcomes[kind]), 'error']) {
      totals[kind].inc({ outcome }, 0)
    }
  }
  for (const status of failed) failures.inc({ status }, 0)

  for (const name of objectKeys(metrics)) {
    const reading = readings[name]
    if (!reading) continue
    const Kind = name.endsWith('_total') ? Counter : Gauge
    const options = { name, help: metrics[name], registers: [] }
    registry.registerMetric(
      typeof reading === 'function'
        ? new Kind({
            ...options,
            async collect() {
              const value = await reading()
              // Without labels the library would show a zero.
              this.remove()
              if (value !== undefined) this.inc(value)
            }
          })
        : new Kind({
            ...options,
            labelNames: [reading.label],
            collect() {
              this.reset()
              for (const [value, count] of Object.entries(reading.counts)) {
                this.inc({ [reading.label]: value }, count)
              }
            }
          })
    )
  }

  return {
    count({ method, route, status, seconds, counts }: Answered) {
      durations.observe({ method, route, status }, seconds)
      if (failed.includes(status)) failures.inc({ status })
      if (counts) totals[counts].inc({ outcome: outcomes[counts][status] ?? 'error' })
    },
    close,
    /**
     * A server for `GET /metrics` only, which is not listening yet. It ignores a query: a scrape
     * has one where `params` are configured.
     */
    server: createServer(({ method = '', url = '' }, response) => {
      const [path] = url.split('?', 1)
      const isRead = method === 'GET' || method === 'HEAD'
      if (path !== '/metrics' || !isRead) {
        const status = path !== '/' && path !== '/metrics' ? 404 : isRead ? 200 : 405
        response
          .writeHead(status, {
            'content-type': 'text/plain',
            ...(status === 405 && { allow: 'GET, HEAD' })
          })
          .end('See /metrics\n')
        return
      }
      registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        (error: Error) => response.destroy(error)
      )
    })
  }
}
