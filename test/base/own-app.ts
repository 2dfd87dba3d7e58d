import path from 'node:path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Database } from '../../db/client.ts'
import { buildApp } from '../../src/app.ts'
import { defineApp } from '../../src/base/definition.ts'
import type { AppDefinition } from '../../src/base/definition.ts'
import { withFolders } from '../../src/base/load.ts'
import type { LoadedApp } from '../../src/base/load.ts'
import type { Config } from '../../src/config/config.ts'
import { started, temporaryFolder, testDatabase } from '../support/app.ts'
import { testConfig } from '../support/test-config.ts'

/** An app of this definition, as if it had been loaded from an empty folder. */
export const loadedApp = (t: Pick<Test, 'teardown'>, definition: AppDefinition): LoadedApp =>
  withFolders(defineApp(definition), path.join(temporaryFolder(t), 'portal.ts'))

interface Options {
  /** Registers routes of the app below `/api`. */
  routes?: FastifyPluginAsyncTypebox
  config?: Partial<Config>
  /** By default a new one. */
  database?: Database
  logger?: FastifyBaseLogger
}

/** The whole application with an app of this definition, which its start has migrated. */
export async function appWith(
  t: Test,
  definition: AppDefinition,
  { routes, config, database, logger }: Options = {}
): Promise<FastifyInstance> {
  const app = buildApp(testConfig({ MIGRATE_ON_START: true, ...config }), {
    database: database ?? (await testDatabase(t)),
    ownApp: loadedApp(t, definition),
    ...(logger && { logger })
  })
  if (routes) app.register(routes, { prefix: '/api' })
  return started(t, app)
}
