import type { Socket } from 'node:net'
import path from 'node:path'
import autoload from '@fastify/autoload'
import Fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Database } from '../db/client.ts'
import { trustOf } from './config/addresses.ts'
import type { LoadedApp } from './base/load.ts'
import type { Config } from './config/config.ts'
import { randomId } from './domain/crypto.ts'
import { waitingLimit } from './domain/throttling/admission.ts'
import { loggerOptions } from './http/logging.ts'
import type { Operator } from './http/operator.ts'
import { onClientError, onExpectation, onUnroutable } from './http/problems.ts'
import { schemaBucket } from './http/schema-bucket.ts'
import { buildSerializer } from './http/serialization.ts'
import { serverLimits } from './http/server-limits.ts'
import type { Surface } from './http/surface.ts'
import { buildValidator } from './http/validation.ts'

interface AppOptions {
  /** Used instead of opening DATABASE_URL. The application closes it. */
  database?: Database | Promise<Database>
  logger?: FastifyBaseLogger
  /** Serves the console of this operator, and nothing else. */
  operator?: Operator
  /** The app that is built on the portal. */
  ownApp?: LoadedApp | undefined
  /** Loads only what the OpenAPI document needs: no database, and no working routes. */
  documentOnly?: boolean
}

const { requestTimeout, keepAliveTimeout, ...http } = serverLimits
const root = path.join(import.meta.dirname, '..')

/**
 * Creates the portal without listening. `await app.ready()` opens the database and rejects when a
 * route or plugin is not declared completely.
 */
export function buildApp(
  config: Config,
  { database, logger, operator, ownApp, documentOnly = false }: AppOptions = {}
): FastifyInstance {
  const surface = operator ? 'console' : config.development ? 'development' : 'production'
  const app = Fastify({
    ...(logger
      ? { loggerInstance: logger }
      : { logger: loggerOptions(surface, config.LOG_LEVEL) ?? false }),
    // Requests are logged by plugins/request-log.ts.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: randomId,
    // A child logger for each request would cost more than a session check. Log lines contain the
    // request id.
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    trustProxy: config.TRUST_PROXY.length > 0 ? trustOf(config.TRUST_PROXY) : false,
    bodyLimit: 16_384,
    requestTimeout,
    keepAliveTimeout,
    http,
    // No limit, because migrations run in a plugin: they may wait for another process, and building
    // an index can take long.
    pluginTimeout: 0,
    // Requests that arrive while closing get their response, and their connection is closed.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 100 },
    schemaController: {
      bucket: schemaBucket,
      compilersFactory: { buildValidator, buildSerializer }
    },
    // The type of the option has no `this`.
    clientErrorHandler: onClientError as (error: Error, socket: Socket) => void,
    frameworkErrors: onUnroutable
  })
  app.server.maxConnections = waitingLimit
  app.server.on('checkExpectation', (request, response) => onExpectation(app, request, response))
  app.register(autoload, {
    dir: path.join(root, 'plugins'),
    forceESM: true,
    options: { config, database, surface, operator, ownApp },
    ...(documentOnly && { matchFilter: isForDocument })
  })
  app.register(autoload, {
    dir: path.join(root, 'routes'),
    forceESM: true,
    autoHooks: true,
    ignorePattern: ignored[surface],
    ...(config.MACHINE_ADMIN === 'off' && { ignoreFilter: commands })
  })
  if (ownApp && !operator) app.register(import('./base/serve.ts'), { ownApp })
  return app
}

const isForDocument = (file: string) => /\/(config|schemas|openapi)\.[jt]s$/.test(file)

/**
 * The files and folders of `routes` that a surface does not have, and that are not even loaded. The
 * admin API and its console, the reference page, and the pages of problems and caught mail do not
 * exist in production. The operator's console has the first two, without the metrics of one
 * instance, and nothing else.
 */
const ignored: Record<Surface, RegExp> = {
  production:
    /^(api\/admin|(docs|dev-mailbox|problem-pages|console(-session)?|dev-provider)\.[jt]s)$/,
  development: /^console-session\.[jt]s$/,
  console: /^(?!(api|api\/admin(\/(?!metrics\.).*)?|console(-session)?\.[jt]s)$)/
}

/** The commands of other systems. */
const commands = /^\/api\/machine\/(commands|scopes)\./
