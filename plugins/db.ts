import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import type { Database } from '../db/client.ts'
import type { Db } from '../db/engine.ts'
import { openDatabase } from '../db/client.ts'
import { awayHint, isDatabaseAway } from '../db/errors.ts'
import { databaseOptions } from '../src/config/config.ts'
import { isUpToDate, syncRegistry } from '../src/domain/access/registry.ts'

declare module 'fastify' {
  interface FastifyInstance {
    db: Db
    database: Database
  }
}

const pause = { first: 250, most: 2000 }

/**
 * Opens the database unless it is given one, migrates it where the configuration says so, and closes it last.
 * One that is away is waited for, while /health says so: it may be starting, like everything else after a power cut.
 */
export default fp<{ database?: Database | Promise<Database> }>(
  async (app, options) => {
    const { config } = app
    const database = await (options.database ??
      openDatabase(config.DATABASE_URL, databaseOptions(config)))
    const closing = new AbortController()
    let waiting: Promise<void> = Promise.resolve()
    let told: string | undefined
    app.decorate('database', database)
    app.decorate('db', database.db)
    app.addHook('onClose', async () => {
      closing.abort()
      await waiting.catch(() => {}) // told as what nobody foresaw
      await database.close()
    })

    /** True when it is done, false when the database is away. */
    const migrate = async () => {
      try {
        if (!(await isUpToDate(database))) {
          await database.migrate(syncRegistry, () => {
            app.log.warn(
              { database: database.label },
              'waiting for another process that is migrating this database'
            )
          })
        }
        return true
      } catch (error) {
        if (!isDatabaseAway(error)) throw error
        const reason = awayHint(error)
        if (reason !== told) {
          app.log.warn(
            { database: database.label, reason },
            'the database is unavailable: the migration waits for it'
          )
        }
        told = reason
        return false
      }
    }
    const migrateLater = async () => {
      for (let ms = pause.first; !closing.signal.aborted; ms = Math.min(ms * 2, pause.most)) {
        await sleep(ms, undefined, { signal: closing.signal }).catch(() => {}) // ends early when the server does
        if (!closing.signal.aborted && (await migrate())) return
      }
    }
    if (config.MIGRATE_ON_START && !(await migrate())) waiting = migrateLater()
  },
  { name: 'db', dependencies: ['config'] }
)
