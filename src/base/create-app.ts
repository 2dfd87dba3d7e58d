import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { openDatabase } from '../../db/client.ts'
import { buildApp } from '../app.ts'
import { databaseOptions, loadConfig } from '../config/config.ts'
import { AppError, loadApp } from './load.ts'

export interface AppOptions {
  /** The folder of the app. A path is relative to the current directory. */
  app: string | URL
  /** Variables of the configuration; by default those of the process. */
  env?: Record<string, string | undefined>
}

/** The files of the apps that this process serves. All would share their words. */
const served: string[] = []

/**
 * Creates the portal with an app, as a Fastify instance that does not listen yet. Further plugins
 * can be registered. Throws AppError for an app that cannot be served, and ConfigError.
 */
export async function createApp({ app: folder, env }: AppOptions): Promise<FastifyInstance> {
  const config = loadConfig(env)
  const ownApp = await loadApp(folder instanceof URL ? fileURLToPath(folder) : folder)
  const { file } = ownApp
  const other = served.find((each) => each !== file)
  if (other !== undefined) {
    throw new AppError(`${file}: this process serves ${other}. Start a process for each app`)
  }
  const database = openDatabase(config.DATABASE_URL, databaseOptions(config))
  database.catch(() => {}) // reported where it is awaited
  const app = buildApp(config, { database, ownApp })
  served.push(file)
  app.addHook('onClose', async function endServing() {
    served.splice(served.indexOf(file), 1)
  })
  try {
    // Now the hooks and plugins of the caller come after those of the portal.
    await app.after()
    return app
  } catch (error) {
    await app.close()
    throw error
  }
}
