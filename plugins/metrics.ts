import { once } from 'node:events'
import fp from 'fastify-plugin'
import { deadline } from '../db/deadline.ts'
import { ConfigError } from '../src/config/config.ts'
import { createMetrics } from '../src/http/metrics.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Logins, or checks for services, by outcome. */
    counts?: 'logins' | 'checks'
  }
}

/** Milliseconds, so that a database that does not answer delays the other metrics only a little. */
const backlogLimit = 1000

/**
 * Metrics for Prometheus on a separate port, because they are for operators and reveal the activity
 * of users. Off without METRICS_PORT.
 */
export default fp(
  async (app) => {
    const { log, outbox } = app
    const { METRICS_PORT: port, HOST: host } = app.config
    if (port === undefined) return
    const { observe, countLogin, countCheck, server } = await createMetrics({
      isReady: () => app.readiness.reason() === undefined,
      hashLoad: () => app.hashLoad(),
      inFlight: () => app.database.load(),
      connectionsMax: app.config.DATABASE_POOL_MAX,
      freshness: app.freshnessTotals,
      principalsLoaded: () => app.principalsLoaded(),
      mail: outbox && {
        totals: outbox.totals,
        readBacklog: () =>
          deadline(outbox.readBacklog(), backlogLimit).catch((error: unknown) => {
            log.warn({ err: error }, 'the outbox was not read for metrics')
            return []
          })
      }
    })
    app.addHook('onResponse', function countRequest(request, reply, done) {
      const { method, routeOptions } = request
      const { statusCode: status, elapsedTime } = reply
      observe({ method, route: routeOptions.url ?? 'none', status }, elapsedTime / 1000)
      const { counts } = routeOptions.config
      if (counts === 'logins') countLogin(status)
      if (counts === 'checks') countCheck(status)
      done()
    })
    app.addHook('onReady', async function listenForPrometheus() {
      server.listen(port, host)
      await once(server, 'listening').catch(({ code = 'error' }: NodeJS.ErrnoException) => {
        throw new ConfigError([`METRICS_PORT cannot be used (${code}): choose another port`])
      })
      server.on('error', (error) => app.log.warn({ err: error }, 'the metrics server failed'))
    })
    app.addHook('onClose', async function closeMetrics() {
      server.close()
      server.closeAllConnections()
    })
  },
  {
    name: 'metrics',
    dependencies: ['auth', 'config', 'db', 'freshness', 'health', 'mail', 'passwords']
  }
)
