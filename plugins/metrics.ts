import { once } from 'node:events'
import fp from 'fastify-plugin'
import { deadline } from '../db/deadline.ts'
import { withSlack } from '../db/transaction.ts'
import { ConfigError } from '../src/config/config.ts'
import { createMetrics } from '../src/http/metrics/metrics.ts'
import type { Answered, Metrics } from '../src/http/metrics/metrics.ts'

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
const readLimit = 1000

/**
 * Metrics for Prometheus on a separate port, because they are for operators and reveal the activity
 * of users. Without METRICS_PORT they are collected in development only, for the admin API.
 */
export default fp(
  async (app) => {
    if (app.surface === 'console') return
    const { outbox } = app
    const { METRICS_PORT: port, HOST: host, development } = app.config
    if (port === undefined && !development) return
    const orNothing = <T>(reading: Promise<T>, message: string) =>
      deadline(reading, withSlack(readLimit)).catch((error: unknown) => {
        app.warnRarely(error, message)
        return undefined
      })
    const create = () =>
      createMetrics({
        figures: {
          portal_ready: () => (app.readiness.reason() === undefined ? 1 : 0),
          portal_hashes_running: () => app.hashLoad().running,
          portal_hashes_waiting: () => app.hashLoad().waiting,
          portal_database_in_flight: () => app.database.load(),
          portal_database_late_commits: () => app.database.lateCommits(),
          portal_database_connections_max: () => app.config.DATABASE_POOL_MAX,
          portal_freshness_reads_total: () => app.freshnessTotals.reads,
          portal_freshness_reads_failed_total: () => app.freshnessTotals.failed,
          portal_freshness_read_seconds_total: () => app.freshnessTotals.seconds,
          portal_freshness_shard_reads_total: () => app.shardTotals.reads,
          portal_principals_loaded_total: () => app.principalsLoaded(),
          portal_untrusted_proxies: () => app.untrustedProxies()
        },
        deliveries: outbox?.totals,
        rejectedSettings: app.settings?.rejectedReads,
        readBacklog:
          outbox && (() => orNothing(outbox.readBacklog(), 'the outbox was not read for metrics'))
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
