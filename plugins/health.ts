import fp from 'fastify-plugin'
import { deadline } from '../db/deadline.ts'
import { awayHint } from '../db/errors.ts'
import { isUpToDate } from '../src/domain/access/registry.ts'
import type { UnavailableReason } from '../src/schemas/health.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readiness: {
      /** Why no traffic should come here, or undefined when it may. */
      reason(): UnavailableReason | undefined
      /** From now on, and for good: this process is about to end. */
      drain(): void
    }
  }
}

const pingInterval = 2000
const lookLimit = 1000
/** One slow answer is no outage; three in a row are. One good answer ends it. */
const failuresUntilRed = 3

/**
 * Watches the database in the background, so that a request for health costs nothing. A ready instance reads
 * the epochs, as every session check does: neither a full pool nor a locked table stops that, a standby does.
 */
export default fp(
  async (app) => {
    let state: UnavailableReason | undefined = 'starting'
    let draining = false
    let migrated = false
    let failures = 0

    const look = async () => {
      try {
        if (migrated) {
          await new Promise<void>((resolve, reject) =>
            app.snapshots((error) => (error ? reject(error) : resolve()))
          )
        } else migrated = await deadline(isUpToDate(app.database), lookLimit)
        failures = 0
        enter(migrated ? undefined : 'migrations')
      } catch (error) {
        failures += 1
        if (failures >= failuresUntilRed || state === 'starting') enter('database', error)
      }
    }
    const enter = (next: UnavailableReason | undefined, error?: unknown) => {
      if (next === state) return
      if (next === undefined) app.log.info('ready')
      else if (next === 'database') {
        app.log.warn(
          { err: error, database: app.database.label, reason: awayHint(error) },
          'not ready: the database is away'
        )
      } else app.log.warn('not ready: the schema is older than this build, migrate the database')
      state = next
    }

    let timer: NodeJS.Timeout
    let closing = false
    const loop = async () => {
      await look()
      if (!closing) timer = setTimeout(loop, pingInterval).unref()
    }
    app.decorate('readiness', {
      reason: () => (draining ? 'draining' : state),
      drain: () => {
        draining = true
      }
    })
    app.addHook('onReady', loop)
    app.addHook('onClose', async () => {
      closing = true
      clearTimeout(timer)
    })
  },
  { name: 'health', dependencies: ['db', 'freshness'] }
)
