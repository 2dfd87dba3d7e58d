import fp from 'fastify-plugin'
import type { Database, Db } from '../db/client.ts'
import { openDatabase } from '../db/client.ts'
import { databaseOptions } from '../src/config.ts'
import { isUpToDate, syncRegistry } from '../src/domain/registry.ts'

declare module 'fastify' {
  interface FastifyInstance {
    db: Db
    database: Database
  }
}

/** Opens the database unless it is given one, migrates it where the configuration says so, and closes it last. */
export default fp<{ database?: Database | Promise<Database> }>(async (app, options) => {
  const { config } = app
  const database = await (options.database ?? openDatabase(config.DATABASE_URL, databaseOptions(config)))
  app.decorate('database', database)
  app.decorate('db', database.db)
  app.addHook('onClose', () => database.close())
  if (config.MIGRATE_ON_START && !await isUpToDate(database)) await database.migrate(syncRegistry)
}, { name: 'db', dependencies: ['config'] })
