import { promisify } from 'node:util'
import fp from 'fastify-plugin'
import { deadline } from '../db/deadline.ts'
import { unavailableHint } from '../db/errors.ts'
import { requireEpochs } from '../db/missing-epochs.ts'
import { withSlack } from '../db/transaction.ts'
import { isUpToDate } from '../src/domain/access/registry.ts'
import { createReadiness, lookInterval } from '../src/domain/readiness.ts'
import { runEvery } from '../src/repeat.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readiness: ReturnType<typeof createReadiness>
  }
}

const lookLimit = 1000

/** Monitors the database in the background, so that health requests cost nothing. */
export default fp(
  async (app) => {
    const { database, log, ownApp, snapshots } = app
    let isListening = false
    const readSnapshot = promisify(snapshots)
    const readiness = createReadiness({
      isUpToDate: () => deadline(isUpToDate(database, ownApp?.definition), withSlack(lookLimit)),
      async read() {
        await readSnapshot()
        await requireEpochs(database.checkDb)
      },
      onChange(reason, error) {
        if (reason === undefined) {
          if (isListening) log.info('ready')
        } else if (reason === 'database') {
          log.warn(
            { err: error, database: database.label, reason: unavailableHint(error) },
            'not ready: the database is unavailable'
          )
        } else if (reason === 'epochs') {
          log.warn('not ready: rows of the epochs are missing, run portal refresh')
        } else {
          void warnOfSchema()
        }
      }
    })
    async function warnOfSchema() {
      const missing = await database.missingMigrations().catch(() => undefined)
      const command = ownApp ? `portal migrate --app ${ownApp.folder}` : 'portal migrate'
      log.warn({ missing }, `not ready: the database lacks changes of this build, run ${command}`)
    }
    app.decorate('readiness', readiness)
    if (app.surface === 'console') {
      app.addHook('onReady', readiness.look)
      return
    }
    const looking = runEvery(lookInterval, readiness.look)
    app.addHook('onReady', looking.run)
    // Checks before the port is bound, so that /health is right from the first request.
    app.addHook('onListen', async function logReady() {
      isListening = true
      if (readiness.reason() === undefined) log.info('ready')
    })
    app.addHook('onClose', looking.stop)
  },
  { name: 'health', dependencies: ['db', 'freshness'] }
)
