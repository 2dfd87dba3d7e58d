import path from 'node:path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Test } from 'tap'
import type { Database } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import { buildApp } from '../../src/app.ts'
import { defineApp } from '../../src/base/definition.ts'
import type { AppDefinition } from '../../src/base/definition.ts'
import { sendMail, throttled } from '../../src/base/declared.ts'
import { withFolders } from '../../src/base/load.ts'
import type { LoadedApp } from '../../src/base/load.ts'
import type { Config } from '../../src/config/config.ts'
import { record } from '../../src/domain/activity/record.ts'
import type { Actor } from '../../src/domain/actor.ts'
import { DomainError } from '../../src/domain/errors.ts'
import type { ProblemCode } from '../../src/problems/list.ts'
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

// In an app these are typed by its words, of which this repository has none.
export const recordOwn = record as unknown as (
  tx: Db,
  actor: Actor,
  action: string,
  fields?: object
) => Promise<void>
export const sendOwn = sendMail as unknown as (
  tx: Db,
  app: FastifyInstance,
  kind: string,
  to: object
) => Promise<void>
export const throttledOwn = throttled as unknown as (
  request: FastifyRequest,
  limit: string
) => Promise<void>
export const ownError = (code: string, more?: { detail: string }) =>
  new DomainError(code as ProblemCode, more)
/** For the name of a permission, a tag or a problem of the app. */
export const own = (word: string) => word as never
