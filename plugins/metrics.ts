import { once } from 'node:events'
import fp from 'fastify-plugin'
import { deadline } from '../db/deadline.ts'
import type { Db } from '../db/engine.ts'
import { ConfigError } from '../src/config/config.ts'
import { collectLater } from '../src/http/metrics/collect-later.ts'
import { createMetrics } from '../src/http/metrics/metrics.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The metrics as data. In production only with METRICS_PORT. */
    readMetrics(): ReturnType<Awaited<ReturnType<typeof createMetrics>>['read']>
  }
  interface FastifyContextConfig {
    /** Logins, or checks for services, by outcome. */
    counts?: 'logins' | 'checks'
  }
}

/** Milliseconds, so that a database that does not answer delays the other metrics only a little. */
const backlogLimit = 1000

/** Loaded with the first collection, which not every server has. */
const readPartitions = async (db: Db) =>
  (await import('../db/partitions/parts.ts')).readCoverage(db)

/**
 * Metrics for Prometheus on a separate port, because they are for operators and reveal the activity
 * of users. Without METRICS_PORT they are collected in development only, for the admin API. Longer
 * than other plugins, because it names the source of each figure.
 */
export default fp(
  async (app) => {
    const { log, outbox } = app
    const { METRICS_PORT: port, HOST: host, development } = app.config
    if (port === undefined && !development) return
    const create = () =>
      createMetrics({
        isReady: () => app.readiness.reason() === undefined,
        hashLoad: () => app.hashLoad(),
        inFlight: () => app.database.load(),
        lateCommits: () => app.database.lateCommits(),
        connectionsMax: app.config.DATABASE_POOL_MAX,
        freshness: app.freshnessTotals,
        shardReads: () => app.shardTotals.reads,
        principalsLoaded: () => app.principalsLoaded(),
        untrustedProxies: () => app.untrustedProxies(),
        readPartitions: () =>
          deadline(readPartitions(app.db), backlogLimit).catch((error: unknown) => {
            log.warn({ err: error }, 'the partitions of the activity were not read for metrics')
            return undefined
          }),
        mail: outbox && {
          totals: outbox.totals,
          readBacklog: () =>
            deadline(outbox.readBacklog(), backlogLimit).catch((error: unknown) => {
              log.warn({ err: error }, 'the outbox was not read for metrics')
              return undefined
            })
        }
      })
    const served = port === undefined ? undefined : await create()
    const metrics = served ?? collectLater(create)
    app.decorate('readMetrics', () => metrics.read())
    app.addHook('onResponse', function countRequest({ method, routeOptions }, reply, done) {
      metrics.count({
        method,
        route: routeOptions.url ?? 'none',
        status: reply.statusCode,
        seconds: reply.elapsedTime / 1000,
        counts: routeOptions.config.counts
      })
      done()
    })
    app.addHook('onClose', async function endMeasuring() {
      await metrics.close()
    })
    if (!served) return
    const { server } = served
    app.addHook('onReady', async function listenForPrometheus() {
      server.listen(port, host)
      await once(server, 'listening').catch(({ code = 'error' }: NodeJS.ErrnoException) => {
        const reason = ['EADDRNOTAVAIL', 'ENOTFOUND'].includes(code)
          ? 'HOST is not an address of this machine'
          : `METRICS_PORT cannot be used (${code}): choose another port`
        throw new ConfigError([reason])
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
    dependencies: ['auth', 'config', 'db', 'freshness', 'guard', 'health', 'mail', 'passwords']
  }
)
