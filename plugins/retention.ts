import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { deleteOldActivity } from '../src/domain/activity-lists.ts'

const interval = 3_600_000
const batchSize = 1000
/** Between two batches, so that requests come first. */
const pause = 100

/** Deletes activity past its retention: at the start and every hour, in small batches. Any instance may; what one deletes others leave to it. */
export default fp(async (app) => {
  const { ACTIVITY_RETENTION_DAYS: days } = app.config
  const closing = new AbortController()
  let running: Promise<void> = Promise.resolve()

  const run = async () => {
    let total = 0
    try {
      for (;;) {
        const deleted = await deleteOldActivity(app.db, days, batchSize)
        total += deleted
        if (deleted < batchSize || closing.signal.aborted) break
        await sleep(pause)
      }
    } catch (error) {
      app.log.warn({ err: error }, 'old activity not deleted, next try in an hour')
    }
    if (total > 0) app.log.info({ deleted: total }, 'old activity deleted')
  }
  const timer = setInterval(() => { running = run() }, interval).unref()
  app.addHook('onReady', async () => { running = run() })
  app.addHook('onClose', async () => {
    closing.abort()
    clearInterval(timer)
    await running
  })
}, { name: 'retention', dependencies: ['config', 'db'] })
