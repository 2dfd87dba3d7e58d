import { promisify } from 'node:util'
import fp from 'fastify-plugin'
import { deadline } from '../db/deadline.ts'
import { awayHint } from '../db/errors.ts'
import { isUpToDate } from '../src/domain/access/registry.ts'
import { createReadiness, lookInterval } from '../src/domain/readiness.ts'
import { every } from '../src/every.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readiness: ReturnType<typeof createReadiness>
  }
}

const lookLimit = 1000

/** Watches the database in the background, so that a request for health costs nothing. */
export default fp(
  async (app) => {
    const { database, log, snapshots } = app
    const readiness = createReadiness({
      isUpToDate: () => deadline(isUpToDate(database), lookLimit),
      read: promisify(snapshots),
      onChange(reason, error) {
        if (reason === undefined) log.info('ready')
        else if (reason === 'database') {
          log.warn(
            { err: error, database: database.label, reason: awayHint(error) },
            'not ready: the database is away'
          )
        } else log.warn('not ready: the schema is older than this build, migrate the database')
      }
    })
    app.decorate('readiness', readiness)
    const looking = every(lookInterval, readiness.look)
    app.addHook('onReady', looking.run)
    app.addHook('onClose', looking.stop)
  },
  { name: 'health', dependencies: ['db', 'freshness'] }
)
