import { once } from 'node:events'
import fp from 'fastify-plugin'
import { deadline } from '../db/deadline.ts'
import { withSlack } from '../db/transaction.ts'
import { ConfigError } from '../src/config/config.ts'
import { readSignUps } from '../src/domain/guard/guard.ts'
import { readBacklog as readMail } from '../src/domain/outbox/list.ts'
import { droppedDetails } from '../src/domain/vocabulary.ts'
import { readBacklog as readEvents } from '../src/domain/webhooks/claim.ts'
import { createMetrics } from '../src/http/metrics/metrics.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Logins, or checks for services, by outcome. */
    counts?: 'logins' | 'checks'
  }
}

/** Milliseconds, so that a database that does not answer delays the other metrics only a little. */
const readLimit = 1000

/**
 * Metrics for Prometheus on a separate port, because they are for operators and reveal the activity
 * of users. Without METRICS_PORT nothing is collected.
 */
export default fp(
  async (app) => {
    if (app.surface === 'console') return
    const { db, outbox, webhooks } = app
    const { METRICS_PORT: port, HOST: host } = app.config
    if (port === undefined) return
    /** Numbers that are read from the database once for all who ask at the same time. */
    const shared = <Found extends object>(read: () => Promise<Found>, what: string) => {
      let reading: Promise<Found | undefined> | undefined
      const readOnce = () =>
        (reading ??= deadline(read(), withSlack(readLimit))
          .catch((error: unknown) => {
            app.warnRarely(error, `${what} not read for metrics`)
            return undefined
          })
          .finally(() => {
            reading = undefined
          }))
      return (name: keyof Found) => async () => {
        const found = await readOnce()
        return found && Number(found[name])
      }
    }
    const backlog = outbox && shared(() => readMail(db), 'the outbox was')
    const signUps = outbox && shared(async () => readSignUps(app.context), 'sign-ups were')
    const events = webhooks && shared(() => readEvents(db), 'the deliveries were')
    const metrics = await createMetrics({
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
      portal_untrusted_proxies: () => app.untrustedProxies(),
      portal_outbox_pending: backlog?.('pending'),
      portal_outbox_oldest_seconds: backlog?.('oldestSeconds'),
      portal_outbox_deliveries_total: by('outcome', outbox?.totals),
      portal_webhook_pending: events?.('pending'),
      portal_webhook_oldest_seconds: events?.('oldestSeconds'),
      portal_webhook_failing: events?.('failing'),
      portal_webhook_deliveries_total: by('outcome', webhooks?.totals),
      portal_confirmation_mails_hour: signUps?.('sentInHour'),
      portal_confirmation_mails_recent: signUps?.('recent'),
      portal_confirmation_mails_confirmed: signUps?.('confirmed'),
      portal_challenge_difficulty: signUps?.('difficulty'),
      portal_settings_rejected_total: by('part', app.settings?.rejectedReads),
      portal_details_dropped_total: by('action', app.ownApp && droppedDetails),
      portal_app_failures_total: by('kind', app.ownCode?.failures)
    })
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
    const { server } = metrics
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
    dependencies: ['auth', 'config', 'db', 'freshness', 'guard', 'health', 'outbox', 'passwords']
  }
)

const by = (label: string, counts: Readonly<Record<string, number>> | undefined) =>
  counts && { label, counts }
