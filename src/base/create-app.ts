import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { openDatabase } from '../../db/client.ts'
import { buildApp } from '../app.ts'
import { databaseOptions, loadConfig } from '../config/config.ts'
import { loadApp } from './load.ts'

interface Options {
  /** The folder of the app. A path is relative to the current directory. */
  app: string | URL
  /** Variables of the configuration; by default those of the process. */
  env?: Record<string, string | undefined>
  logger?: FastifyBaseLogger
}

/**
 * Creates the portal with an app, as a Fastify instance that does not listen yet. Further plugins
 * can be registered. Throws AppError for an app that cannot be served, and ConfigError.
 */
export async function createApp({ app, env, logger }: Options): Promise<FastifyInstance> {
  const config = loadConfig(env)
  const ownApp = await loadApp(app instanceof URL ? fileURLToPath(app) : app)
  const database = openDatabase(config.DATABASE_URL, databaseOptions(config))
  database.catch(() => {}) // reported where it is awaited
  return buildApp(config, { database, ownApp, ...(logger && { logger }) })
}
