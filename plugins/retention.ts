import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { deleteOldActivity } from '../src/domain/activity-lists.ts'
import { deleteOldThrottles } from '../src/domain/throttles.ts'

const interval = 3_600_000
const batchSize = 1000
/** Between two batches, so that requests come first. */
const pause = 100

/** Deletes what is past its time: at the start and every hour, in small batches. Any instance may; what one deletes others leave to it. */
export default fp(async (app) => {
  const { ACTIVITY_RETENTION_DAYS: days } = app.config
  const closing = new AbortController()
  let running: Promise<void> = Promise.resolve()

  const empty = async (what: string, deleteBatch: () => Promise<number>) => {
    let total = 0
    try {
      for (;;) {
        const deleted = await deleteBatch()
        total += deleted
        if (deleted < batchSize || closing.signal.aborted) break
        await sleep(pause)
      }
    } catch (error) {
      app.log.warn({ err: error, what }, 'not deleted, next try in an hour')
    }
    if (total > 0) app.log.info({ what, deleted: total }, 'deleted')
  }
  const run = async () => {
    await empty('old activity', () => deleteOldActivity(app.db, days, batchSize))
    await empty('unused throttles', () => deleteOldThrottles(app.db, batchSize))
  }
  const timer = setInterval(() => { running = run() }, interval).unref()
  app.addHook('onReady', async () => { running = run() })
  app.addHook('onClose', async () => {
    closing.abort()
    clearInterval(timer)
    await running
  })
}, { name: 'retention', dependencies: ['config', 'db'] })
