import fp from 'fastify-plugin'
import { openDatabase } from '../db/client.ts'
import type { Database } from '../db/client.ts'
import { databaseOptions, withMigrationsOf } from '../src/config/config.ts'
import { createMigration } from '../src/domain/access/registry.ts'
import { createRareLog } from '../src/rare-log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    database: Database
    /** Logs a failure that repeats while the database is unavailable. */
    warnRarely: ReturnType<typeof createRareLog>
  }
}

/**
 * Opens the database unless one is passed, migrates it if configured, and closes it last. The start
 * does not wait for an unavailable database, which may be starting as well after a power cut.
 * Meanwhile /health reports it.
 */
export default fp<{ database?: Database | Promise<Database> }>(
  async (app, options) => {
    const { config, ownApp } = app
    const opened = await (options.database ??
      openDatabase(config.DATABASE_URL, databaseOptions(config)))
    const closing = new AbortController()
    let migrating: Promise<void> = Promise.resolve()
    app.addHook('onClose', async function closeDatabase() {
      closing.abort()
      await migrating.catch(() => {}) // reported as an unhandled rejection
      await opened.close()
    })
    const database = await withMigrationsOf(ownApp, opened)
    app.decorate('database', database)
    app.decorate('db', database.db)
    app.decorate('warnRarely', createRareLog(app.log))
    if (!config.MIGRATE_ON_START) return
    const warn = (message: string, reason?: string) =>
      app.log.warn({ database: database.label, reason }, message)
    const { attempt, keepTrying } = createMigration(database, warn, ownApp?.definition)
    if (!(await attempt())) migrating = keepTrying(closing.signal)
  },
  { name: 'db', dependencies: ['config'] }
)
