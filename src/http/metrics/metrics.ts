import { createServer } from 'node:http'
import type client from 'prom-client'
import { objectKeys } from '../../domain/permissions.ts'
import { addEventLoopMetrics } from './event-loop-metrics.ts'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const logins: Record<number, string> = {
  200: 'success',
  202: 'second-factor',
  401: 'refused',
  429: 'throttled',
  503: 'overloaded'
}

const checks: Record<number, string> = {
  204: 'allowed',
  401: 'signed-out',
  403: 'denied',
  503: 'unavailable'
}

/** The statuses that alert an operator. Others from 500 on are up to the client. */
const failed = [500, 503]

/**
 * Their values are read when Prometheus collects metrics. Names of counters end with `_total`; the
 * others are gauges.
 */
const figures = {
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
    'Peers that sent X-Forwarded-For since the start and are not in TRUST_PROXY, up to 20'
} as const

/**
 * Gauges of the library with the name of a counter, which monitoring takes for one. The sums of
 * others, by type: `nodejs_active_resources` and so on.
 */
const misnamed = ['handles', 'requests', 'resources'].map((name) => `nodejs_active_${name}_total`)

interface Readings extends DatabaseReadings {
  figures: Record<keyof typeof figures, () => number>
  /** Deliveries of this instance by outcome. Undefined where no mail can be sent. */
  deliveries: Readonly<Record<string, number>> | undefined
  /** Refused registrations and challenged calls, by reason. */
  refusedRegistrations: Readonly<Record<string, number>>
  /** Attempts to deliver events by outcome. */
  webhooks: Readonly<Record<string, number>> | undefined
  /** Reads of settings that left something out, by part. Undefined without settings. */
  rejectedSettings: Readonly<Record<string, number>> | undefined
  /** Details of records that the app does not declare, by action. Undefined without an app. */
  droppedDetails: Readonly<Record<string, number>> | undefined
  /** Failures in the code of the app, by kind. Undefined without an app. */
  appFailures: Readonly<Record<string, number>> | undefined
}

interface Answered {
  method: string
  /** The path pattern. */
  route: string
  status: number
  seconds: number
  counts: 'logins' | 'checks' | undefined
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
  const outcomes = counter('portal_logins_total', 'Logins by outcome', 'outcome')
  const checkOutcomes = counter(
    'portal_checks_total',
    'Checks for other services by outcome',
    'outcome'
  )
  const failures = counter('portal_server_errors_total', 'Responses with 500 or 503', 'status')
  // A counter that is born with 1 has no increase, so the first of each kind would be missed.
  for (const outcome of [...Object.values(logins), 'error']) outcomes.inc({ outcome }, 0)
  for (const outcome of [...Object.values(checks), 'error']) checkOutcomes.inc({ outcome }, 0)
  for (const status of failed) failures.inc({ status }, 0)

  for (const name of objectKeys(figures)) {
    const common = { name, help: figures[name], registers: [] }
    const read = readings.figures[name]
    registry.registerMetric(
      name.endsWith('_total')
        ? new Counter({
            ...common,
            collect() {
              this.reset()
              this.inc(read())
            }
          })
        : new Gauge({
            ...common,
            collect() {
              this.set(read())
            }
          })
    )
  }
  addDatabaseGauges(client, registers, readings)
  /** Adds a counter of what is counted elsewhere, by a label, if that exists. */
  const addCounter = (
    name: string,
    help: string,
    label: string,
    counts: Readonly<Record<string, number>> | undefined
  ) => {
    if (!counts) return
    registry.registerMetric(
      new Counter({
        name,
        help,
        labelNames: [label],
        registers: [],
        collect() {
          this.reset()
          for (const [value, count] of Object.entries(counts)) this.inc({ [label]: value }, count)
        }
      })
    )
  }
  addCounter(
    'portal_outbox_deliveries_total',
    'Deliveries of this instance by outcome',
    'outcome',
    readings.deliveries
  )
  addCounter(
    'portal_registrations_refused_total',
    'Refused registrations, and calls that needed a challenge first, by reason',
    'reason',
    readings.refusedRegistrations
  )
  addCounter(
    'portal_webhook_deliveries_total',
    'Attempts of this instance to deliver events to webhooks and functions of the app, by outcome',
    'outcome',
    readings.webhooks
  )
  addCounter(
    'portal_settings_rejected_total',
    'Reads of settings that left out what SETTINGS_SCHEMA rejects, by part',
    'part',
    readings.rejectedSettings
  )
  addCounter(
    'portal_details_dropped_total',
    'Details of activity records that the app does not declare, by action',
    'action',
    readings.droppedDetails
  )
  addCounter(
    'portal_app_failures_total',
    'Errors in the code of the app that nothing caught, and blocks of the event loop, by kind',
    'kind',
    readings.appFailures
  )

  return {
    count({ method, route, status, seconds, counts }: Answered) {
      durations.observe({ method, route, status }, seconds)
      if (failed.includes(status)) failures.inc({ status })
      if (counts === 'logins') outcomes.inc({ outcome: logins[status] ?? 'error' })
      if (counts === 'checks') checkOutcomes.inc({ outcome: checks[status] ?? 'error' })
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

/** Undefined while the database does not answer, and where there is nothing to show. */
type Read<Name extends string> = () => Promise<Record<Name, number> | undefined>

type Backlog = 'pending' | 'oldestSeconds'

interface DatabaseReadings {
  /** Undefined where no mail can be sent. */
  readBacklog?: Read<Backlog> | undefined
  readSignUps?: Read<'sentInHour' | 'recent' | 'confirmed' | 'difficulty'> | undefined
  readWebhookBacklog?: Read<Backlog | 'failing'> | undefined
}

/** The library is an argument, because only src/http/metrics/metrics.ts loads it. */
function addDatabaseGauges(
  library: Pick<typeof client, 'Gauge'>,
  registers: client.Registry[],
  { readBacklog, readSignUps, readWebhookBacklog }: DatabaseReadings
) {
  const ofBacklog = <N extends string>(name: string, what: string, read?: Read<N | Backlog>) => {
    const gauge = read && sharedGauges(library, registers, read)
    gauge?.(`${name}_pending`, `Number of ${what}`, 'pending')
    gauge?.(`${name}_oldest_seconds`, `Age of the oldest of the ${what}`, 'oldestSeconds')
    return gauge
  }
  ofBacklog('portal_outbox', 'mails that wait for delivery', readBacklog)
  const ofWebhooks = ofBacklog(
    'portal_webhook',
    'events that wait for webhooks',
    readWebhookBacklog
  )
  ofWebhooks?.('portal_webhook_failing', 'Webhooks whose last delivery failed', 'failing')
  if (!readSignUps) return
  const ofSignUps = sharedGauges(library, registers, readSignUps)
  const mails = 'mails that ask to confirm an address'
  ofSignUps('portal_confirmation_mails_hour', `Number of ${mails}, in the last hour`, 'sentInHour')
  ofSignUps('portal_confirmation_mails_recent', `Number of the last ${mails}, up to 100`, 'recent')
  ofSignUps('portal_confirmation_mails_confirmed', 'How many of these were confirmed', 'confirmed')
  ofSignUps(
    'portal_challenge_difficulty',
    'Expected number of hashes of a challenge for a new source; 0 while none is needed',
    'difficulty'
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
