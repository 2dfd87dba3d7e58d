import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../db/client.ts'
import { unavailableHint, isDatabaseUnavailable } from '../../../db/errors.ts'
import { isUpToDate, syncRegistry } from './registry.ts'

/** Milliseconds between two attempts, doubled each time. */
const pause = { first: 250, most: 2000 }

/**
 * Brings schema, permissions and roles up to date, also when the database is unavailable at first.
 * @param warn called when it has to wait, and with the reason while there is one
 */
export function createMigration(
  database: Database,
  warn: (message: string, reason?: string) => void
) {
  let reported: string | undefined

  /** True when it is done, false when the database is unavailable. */
  const attempt = async () => {
    try {
      if (!(await isUpToDate(database))) {
        await database.migrate(syncRegistry, (awaited) => {
          warn(`the migration waits for ${awaited}`)
        })
      }
      return true
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      const reason = unavailableHint(error)
      if (reason !== reported) {
        warn('the database is unavailable: the migration waits for it', reason)
      }
      reported = reason
      return false
    }
  }
  return {
    attempt,
    /** Tries again until it is done or the signal aborts. */
    async keepTrying(signal: AbortSignal) {
      for (let ms = pause.first; !signal.aborted; ms = Math.min(ms * 2, pause.most)) {
        await sleep(ms, undefined, { signal }).catch(() => {}) // ends early when the signal aborts
        if (!signal.aborted && (await attempt())) return
      }
    }
  }
}
