import fp from 'fastify-plugin'
import { findRecentJobs } from '../src/domain/jobs/claim.ts'
import { forgetAddresses, forgetDeleted } from '../src/domain/jobs/forgotten-addresses.ts'
import { noticeExpiringKeys } from '../src/domain/jobs/key-expiry.ts'
import { deletePlanned, deletePlannedAccounts } from '../src/domain/jobs/planned-deletions.ts'
import { sweep, sweepInterval } from '../src/domain/jobs/sweep.ts'
import { runEvery } from '../src/repeat.ts'

/**
 * Deletes old data and accounts that are due, and writes mail about keys that expire soon, at the
 * start and every hour.
 */
export default fp(
  async (app) => {
    if (app.surface === 'console') return // a shell must not delete rows
    const closing = new AbortController()
    const sweeping = runEvery(sweepInterval, async () => {
      if (app.readiness.reason() !== undefined) return // the next run is in an hour
      const { db, log } = app
      const { signal } = closing
      const recent = await findRecentJobs(db).catch((error: unknown) => {
        log.warn({ err: error }, 'nothing deleted, will be tried again')
      })
      if (!recent) return
      await sweep({
        ...{ db, recent, signal },
        retentionDays: app.config.ACTIVITY_RETENTION_DAYS,
        onDeleted: (what, deleted) => log.info({ what, deleted }, 'deleted'),
        onError: (what, error) => log.warn({ err: error, what }, 'not deleted, will be tried again')
      })
      const { mail } = app.context
      if (!recent.has(deletePlanned)) {
        const onError = (error: unknown) =>
          log.warn({ err: error }, 'account not deleted, will be tried again')
        const accounts = await deletePlannedAccounts({ db, mail, signal, onError })
        if (accounts > 0) log.info({ what: 'planned accounts', deleted: accounts }, 'deleted')
      }
      if (app.config.ACTIVITY_FORGET && !recent.has(forgetDeleted)) {
        const onError = (error: unknown) =>
          log.warn({ err: error }, 'addresses not removed, will be tried again')
        const forgotten = await forgetAddresses({ db, signal, onError })
        if (forgotten > 0) log.info({ users: forgotten }, 'addresses removed from the activity')
      }
      if (!mail) return
      await noticeExpiringKeys(db, mail, signal).catch((error: unknown) => {
        log.warn({ err: error }, 'mail about expiring keys not written, will be tried again')
      })
    })
    app.addHook('onReady', async function startSweep() {
      void sweeping.run() // not awaited: the server can listen meanwhile
    })
    app.addHook('onClose', async function stopSweep() {
      closing.abort()
      await sweeping.stop()
    })
  },
  { name: 'sweep', dependencies: ['config', 'db', 'health', 'context'] }
)
