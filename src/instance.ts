import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { openDatabase } from '../db/client.ts'
import {
  DatabaseUnusable,
  isDatabaseUnavailable,
  rejectionAdvice,
  unavailableAdvice
} from '../db/errors.ts'
import {
  ConfigError,
  databaseOptions,
  isAppError,
  loadConfig,
  loadOwnApp
} from './config/config.ts'
import type { Config } from './config/config.ts'
import { instanceName } from './connected-servers.ts'
import { createFirstAdmin } from './domain/administration/first-admin.ts'
import { describeError } from './http/logging.ts'
import { developmentBanner } from './banner.ts'

const exitCode = { failed: 1, databaseUnavailable: 5 }

/** Milliseconds after which requests in flight are abandoned. */
const closeLimit = 30_000

const listenProblems: Record<string, string> = {
  EADDRINUSE: 'Another process uses the port. Stop it, or choose another port: PORT=3001',
  EACCES: 'This user may not listen on the port. Choose a port above 1023: PORT=3000',
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
  ENOTFOUND: 'HOST is not an address of this machine.'
}

class CannotListen extends Error {}

try {
  await start()
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n\n`)
  process.exit(
    error instanceof DatabaseUnusable ||
      (isDatabaseUnavailable(error) && !(error instanceof CannotListen))
      ? exitCode.databaseUnavailable
      : exitCode.failed
  )
}

async function start() {
  const config = loadConfig()
  // Before the database: an app that cannot be served must not leave its directory locked.
  const ownApp = await loadOwnApp(config.APP)
  // The embedded database is slow to open, so it opens while the rest is loaded.
  const database = openDatabase(config.DATABASE_URL, {
    ...databaseOptions(config),
    instance: instanceName(config.PORT)
  })
  database.catch(() => {}) // reported where it is awaited
  const { buildApp } = await import('./app.ts')
  const app = buildApp(config, { database, ownApp })
  let isClosing = () => false
  try {
    await app.ready()
    await listen(app, config)
    isClosing = closeOnSignal(app, config.SHUTDOWN_DELAY_SECONDS)
    for (const warning of config.warnings) app.log.warn(warning)
    if (config.development) await welcome(app)
  } catch (error) {
    // A signal has stopped the start, which fails because everything closes.
    if (isClosing()) return
    // Releases resources, above all the lock of the data directory. The first error is reported.
    await app.close().catch(() => {})
    throw error
  }
}

/** A separate function because an unknown host name means HOST here, but the database elsewhere. */
async function listen(app: FastifyInstance, { HOST: host, PORT: port }: Config) {
  try {
    await app.listen({ host, port, listenTextResolver: (address) => `listening on ${address}` })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new CannotListen(
      listenProblems[code] ?? `The server cannot listen on HOST and PORT (${code}).`,
      { cause: error }
    )
  }
}

/** Creates the first administrator if a local database has none, and prints the banner. */
async function welcome(app: FastifyInstance) {
  // A server that a signal closes meanwhile has no address, and the password is shown only once.
  const { port } = app.server.address() as AddressInfo
  const adminPassword =
    app.database.local && app.readiness.reason() === undefined
      ? await createFirstAdmin(app.context)
      : undefined
  const { HOST: host, DATABASE_URL: databaseUrl, MAIL_URL } = app.config
  const facts = {
    host,
    port,
    databaseUrl,
    database: app.database.label,
    hasSample: app.database.local && !app.ownApp,
    ownApp: app.ownApp?.folder,
    hasConsole: app.hasRoute({ method: 'GET', url: '/console' }),
    hasAccountPages: app.hasRoute({ method: 'GET', url: '/account' }),
    catchesMail: MAIL_URL === undefined,
    adminPassword
  }
  process.stdout.write(developmentBanner(facts, process.stdout.isTTY))
}

/**
 * Resolves when all connections in the backlog of the system are accepted and their requests read.
 * The event loop accepts one connection per turn (libuv 1.46) and reads it in the next turn.
 */
async function acceptAll(server: Server) {
  let quiet = 0
  const onConnection = () => {
    quiet = 0
  }
  server.on('connection', onConnection)
  for (let turn = 0; turn < server.maxConnections && quiet < 4; turn++) {
    quiet++
    await setImmediate()
  }
  server.off('connection', onConnection)
}

/**
 * Shuts down in steps: readiness fails so that load balancers stop sending requests, then new
 * connections are rejected, requests in flight finish, and the database closes. Returns a function
 * that says whether that has begun.
 */
function closeOnSignal(app: FastifyInstance, delaySeconds: number) {
  let closingSince: number | undefined
  const close = async (code: number, delay: number) => {
    // A second signal ends the process at once. Within a second it is the same signal, sent to the
    // process group and forwarded by npm.
    if (closingSince !== undefined && Date.now() - closingSince > 1000) process.exit(1)
    if (closingSince !== undefined) return
    closingSince = Date.now()
    app.readiness.drain()
    // Close each connection after its next response, so that clients reconnect to another instance.
    app.server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false
    })
    setTimeout(() => {
      app.log.fatal('requests still in flight at the shutdown limit: exiting without them')
      process.exit(1)
    }, delay + closeLimit).unref()
    await sleep(delay)
    // Accept and read the connections in the backlog before closing idle ones: closing the HTTP
    // server would reset connections whose requests it has not read yet.
    await acceptAll(app.server)
    NetServer.prototype.close.call(app.server)
    await acceptAll(app.server)
    // A connection kept alive by its client would delay the close until it times out.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 100)
    await app.close()
    clearInterval(sweep)
    process.exit(code)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (closingSince === undefined) app.log.info({ signal }, 'shutting down')
      void close(0, delaySeconds * 1000)
    })
  }
  process.on('uncaughtException', (error, origin) => {
    app.log.fatal({ err: error }, origin)
    // After the lock of the data directory is lost, nothing may be written to it, not even on
    // close.
    if (error instanceof DatabaseUnusable) process.exit(exitCode.databaseUnavailable)
    void close(exitCode.failed, 0)
  })
  return () => closingSince !== undefined
}

/**
 * The message to print for an error that stopped the start. Only unexpected errors include a stack.
 */
function explain(error: unknown): string {
  if (error instanceof ConfigError) {
    return (
      `${error.message}\n\ndocs/lookup/configuration.md explains every variable. ` +
      `To try the portal out: npm run dev`
    )
  }
  if (error instanceof DatabaseUnusable || isAppError(error)) return error.message
  if (error instanceof CannotListen) return error.message
  if (isDatabaseUnavailable(error)) return unavailableAdvice(error)
  const advice = rejectionAdvice(error)
  if (advice !== undefined) return advice
  if (!(error instanceof Error)) return String(error)
  const { code, path } = error as NodeJS.ErrnoException
  if (code && path) {
    return (
      `${path} cannot be used (${code}). Give this user access to it, or start in another ` +
      `directory.`
    )
  }
  const { type, message, stack } = describeError(error)
  return `${type}: ${message}\n${stack}`
}
