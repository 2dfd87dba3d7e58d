import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { deleteOldActivity } from '../src/domain/activity/list.ts'
import { deleteDeadSessions } from '../src/domain/sessions/dead-sessions.ts'
import { claimJob } from '../src/domain/jobs.ts'
import { deleteOldThrottles } from '../src/domain/throttling/throttles.ts'

const interval = 3_600_000
/** Less than the interval: timers are not exact, and a turn must not be left out for a few seconds. */
const claimSeconds = 3000
/** The sweep of sessions reads many that it may not delete yet: once a day is enough. */
const sweepSeconds = 85_000
const batchSize = 1000
/** Between two batches, so that requests come first. */
const pause = 100

/**
 * Deletes what is past its time, in small batches: at the start and every hour, unless another
 * instance is doing it or has done it.
 */
export default fp(
  async (app) => {
    const { ACTIVITY_RETENTION_DAYS: days } = app.config
    const closing = new AbortController()
    let running: Promise<void> | undefined

    /** Each call deletes a batch, and says how many those were and whether there may be more. */
    const empty = async (
      what: string,
      seconds: number,
      batches: () => () => Promise<{ deleted: number; more: boolean }>
    ) => {
      let total = 0
      try {
        const claim = await claimJob(app.db, `delete ${what}`, seconds)
        if (!claim) return
        let done = false
        try {
          const deleteBatch = batches()
          do {
            const { deleted, more } = await deleteBatch()
            total += deleted
            done = !more
            if (more) await sleep(pause)
          } while (!done && !closing.signal.aborted && (await claim.keep()))
        } finally {
          await (done ? claim.finish() : claim.release())
        }
      } catch (error) {
        app.log.warn({ err: error, what }, 'not deleted, will be tried again')
      }
      if (total > 0) app.log.info({ what, deleted: total }, 'deleted')
    }
    const whileFull = (deleteBatch: () => Promise<number>) => () => async () => {
      const deleted = await deleteBatch()
      return { deleted, more: deleted === batchSize }
    }
    const sweep = async () => {
      if (app.readiness.reason() !== undefined) return // the next turn is in an hour
      await empty(
        'old activity',
        claimSeconds,
        whileFull(() => deleteOldActivity(app.db, days, batchSize))
      )
      await empty(
        'unused throttles',
        claimSeconds,
        whileFull(() => deleteOldThrottles(app.db, batchSize))
      )
      await empty('dead sessions', sweepSeconds, () => {
        let place: Awaited<ReturnType<typeof deleteDeadSessions>>['next']
        return async () => {
          const { deleted, next } = await deleteDeadSessions(
            app.db,
            app.config.SESSION_IDLE_SECONDS,
            place,
            batchSize
          )
          place = next
          return { deleted, more: next !== undefined }
        }
      })
    }
    /** A turn that comes while the one before is still at work is left out. */
    const run = () => {
      running ??= sweep().finally(() => {
        running = undefined
      })
    }
    const timer = setInterval(run, interval).unref()
    app.addHook('onReady', async () => run())
    app.addHook('onClose', async () => {
      closing.abort()
      clearInterval(timer)
      await running
    })
  },
  { name: 'jobs', dependencies: ['config', 'db', 'health'] }
)
