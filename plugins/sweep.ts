import fp from 'fastify-plugin'
import { forgetAddresses } from '../src/domain/jobs/forgotten-addresses.ts'
import { noticeExpiringKeys } from '../src/domain/jobs/key-expiry.ts'
import { deletePlannedAccounts } from '../src/domain/jobs/planned-deletions.ts'
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
      await sweep({
        db: app.db,
        retentionDays: app.config.ACTIVITY_RETENTION_DAYS,
        signal: closing.signal,
        onDeleted: (what, deleted) => app.log.info({ what, deleted }, 'deleted'),
        onError: (what, error) =>
          app.log.warn({ err: error, what }, 'not deleted, will be tried again')
      })
      const { mail } = app.context
      const accounts = await deletePlannedAccounts({
        db: app.db,
        mail,
        signal: closing.signal,
        onError: (error) => app.log.warn({ err: error }, 'account not deleted, will be tried again')
      })
      if (accounts > 0) app.log.info({ what: 'planned accounts', deleted: accounts }, 'deleted')
      if (app.config.ACTIVITY_FORGET) {
        const forgotten = await forgetAddresses({
          db: app.db,
          signal: closing.signal,
          onError: (error) =>
            app.log.warn({ err: error }, 'addresses not removed, will be tried again')
        })
        if (forgotten > 0) app.log.info({ users: forgotten }, 'addresses removed from the activity')
      }
      if (!mail) return
      await noticeExpiringKeys(app.db, mail, closing.signal).catch((error: unknown) => {
        app.log.warn({ err: error }, 'mail about expiring keys not written, will be tried again')
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
