import { createServer } from 'node:http'
import fp from 'fastify-plugin'
import { ConfigError } from '../src/config/config.ts'

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const logins: Record<number, string> = {
  200: 'success',
  401: 'refused',
  429: 'throttled',
  503: 'overloaded'
}

/** What Prometheus asks for, on a port of its own: it is for operators, and says who is busy with what. Off without METRICS_PORT. */
export default fp(
  async (app) => {
    const { METRICS_PORT: port, HOST: host } = app.config
    if (port === undefined) return
    const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = (
      await import('prom-client')
    ).default
    const registry = new Registry()
    const registers = [registry]
    collectDefaultMetrics({ register: registry })

    const durations = new Histogram({
      name: 'portal_http_request_duration_seconds',
      help: 'Time to answer, by route pattern and status',
      labelNames: ['method', 'route', 'status'],
      buckets: seconds,
      registers
    })
    const outcomes = new Counter({
      name: 'portal_logins_total',
      help: 'Logins by outcome',
      labelNames: ['outcome'],
      registers
    })
    app.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? 'none'
      durations.observe(
        { method: request.method, route, status: reply.statusCode },
        reply.elapsedTime / 1000
      )
      if (route === '/api/auth/login') {
        outcomes.inc({ outcome: logins[reply.statusCode] ?? 'error' })
      }
      done()
    })

    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
        }
      })
    const total = (name: string, help: string, read: () => number) =>
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset()
          this.inc(read())
        }
      })
    gauge('portal_ready', 'Whether traffic may come here, as /health says', () =>
      app.readiness.reason() === undefined ? 1 : 0
    )
    gauge('portal_hashes_running', 'Password hashes being made', () => app.hashLoad().running)
    gauge(
      'portal_hashes_waiting',
      'Logins and registrations that wait for their hash',
      () => app.hashLoad().waiting
    )
    gauge(
      'portal_database_in_flight',
      'Statements and transactions under way or waiting for a connection',
      () => app.database.load()
    )
    gauge(
      'portal_database_connections_max',
      'DATABASE_POOL_MAX',
      () => app.config.DATABASE_POOL_MAX
    )
    total(
      'portal_freshness_reads_total',
      'Reads of the epochs, each shared by all requests that waited for it',
      () => app.freshnessTotals.reads
    )
    total(
      'portal_freshness_reads_failed_total',
      'Reads of the epochs without an answer in time',
      () => app.freshnessTotals.failed
    )
    total(
      'portal_freshness_read_seconds_total',
      'Seconds that reads of the epochs took',
      () => app.freshnessTotals.seconds
    )
    total(
      'portal_principals_loaded_total',
      'Principals read from the database, because they were new here or something of theirs may have changed',
      () => app.principalsLoaded()
    )

    const server = createServer(async (request, response) => {
      if (request.method !== 'GET' || request.url !== '/metrics') {
        return response.writeHead(404).end()
      }
      response
        .writeHead(200, { 'content-type': registry.contentType })
        .end(await registry.metrics())
    })
    app.addHook(
      'onReady',
      () =>
        new Promise<void>((resolve, reject) => {
          server.once('error', ({ code }: NodeJS.ErrnoException) =>
            reject(
              new ConfigError([
                `METRICS_PORT cannot be listened on (${code ?? 'error'}): choose another`
              ])
            )
          )
          server.listen(port, host, resolve)
        })
    )
    app.addHook('onClose', async () => {
      server.close()
      server.closeAllConnections()
    })
  },
  { name: 'metrics', dependencies: ['auth', 'config', 'db', 'freshness', 'health', 'passwords'] }
)
