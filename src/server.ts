import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { openDatabase } from '../db/client.ts'
import { awayHint, DatabaseUnusable, isDatabaseAway } from '../db/errors.ts'
import { buildApp } from './app.ts'
import { developmentBanner } from './banner.ts'
import { ConfigError, databaseOptions, loadConfig } from './config/config.ts'
import type { Config } from './config/config.ts'
import { createFirstAdmin } from './domain/accounts/first-admin.ts'
import { describeError } from './http/logging.ts'

const exitCode = { failed: 1, databaseAway: 5 }
/** After this long in-flight requests are given up. */
const closeLimit = 30_000

const listenProblems: Record<string, string> = {
  EADDRINUSE: 'The port is in use by another process. Stop that one, or choose another: PORT=3001',
  EACCES: 'This user may not listen on the port. Choose one above 1023: PORT=3000',
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
  ENOTFOUND: 'HOST is not an address of this machine.'
}
class CannotListen extends Error {}

// Left alone, V8 lets the heap grow to several times of what is in use before it looks: a third more memory, and no faster.
setFlagsFromString('--heap-growing-percent=40')

try {
  await start()
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n\n`)
  process.exit(
    error instanceof DatabaseUnusable || (isDatabaseAway(error) && !(error instanceof CannotListen))
      ? exitCode.databaseAway
      : exitCode.failed
  )
}

async function start() {
  const config = loadConfig()
  // The embedded database takes its time to open: it does so while plugins and routes are being read.
  const database = openDatabase(config.DATABASE_URL, databaseOptions(config))
  database.catch(() => {}) // told by whoever waits for it
  const app = buildApp(config, { database })
  try {
    await app.ready()
    await listen(app, config)
    closeOnSignal(app, config.SHUTDOWN_DELAY_SECONDS)
    for (const warning of config.warnings) app.log.warn(warning)
    if (config.development) await welcome(app)
  } catch (error) {
    await app.close().catch(() => {}) // what is open, the data directory's lock above all, is given back; the first error is the one to tell
    throw error
  }
}

/** Apart from the rest of the start: a host name that is not found means HOST here and the database elsewhere. */
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

/** The first administrator, when a database of this machine has none, and the banner. */
async function welcome(app: FastifyInstance) {
  const adminPassword =
    app.database.local && app.readiness.reason() === undefined
      ? await createFirstAdmin(app.services)
      : undefined
  const { port } = app.server.address() as AddressInfo
  const { HOST: host, DATABASE_URL: databaseUrl } = app.config
  const facts = { host, port, databaseUrl, database: app.database.label, adminPassword }
  process.stdout.write(developmentBanner(facts, process.stdout.isTTY))
}

/**
 * Resolves when the connections that the system has taken for us are accepted and their requests read.
 * The event loop accepts one in a turn (libuv 1.46) and reads it in the next.
 */
async function acceptAll(server: Server) {
  let quiet = 0
  const onConnection = () => {
    quiet = 0
  }
  server.on('connection', onConnection)
  for (let turn = 0; turn < 4096 && quiet < 4; turn++) {
    quiet++
    await setImmediate()
  }
  server.off('connection', onConnection)
}

/** Readiness fails first, so that a balancer looks away; then no new connections, what is in flight ends, the database closes. */
function closeOnSignal(app: FastifyInstance, delaySeconds: number) {
  let closingSince: number | undefined
  const close = async (code: number, delay: number) => {
    // Asked again: at once. Within a second it is the same wish, sent to the process group and passed on by npm as well.
    if (closingSince !== undefined && Date.now() - closingSince > 1000) process.exit(1)
    if (closingSince !== undefined) return
    closingSince = Date.now()
    app.readiness.drain()
    // Each connection ends with its next answer: whoever asks again comes by another way while there still is one.
    app.server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false
    })
    setTimeout(() => {
      app.log.fatal('requests still in flight after the limit: given up')
      process.exit(1)
    }, delay + closeLimit).unref()
    await sleep(delay)
    // Connections that the system has taken are accepted and read before any counts as idle: closing the
    // HTTP server would reset those whose requests it has not read.
    await acceptAll(app.server)
    NetServer.prototype.close.call(app.server)
    await acceptAll(app.server)
    // A connection kept alive by its client would hold the close until it times out.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 100)
    await app.close()
    clearInterval(sweep)
    process.exit(code)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (closingSince === undefined) app.log.info({ signal }, 'closing')
      close(0, delaySeconds * 1000)
    })
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      app.log.fatal({ err: error }, event)
      // A directory that is no longer ours must not be written to, not even to close it well.
      if (error instanceof DatabaseUnusable) process.exit(exitCode.databaseAway)
      close(exitCode.failed, 0)
    })
  }
}

/** What a person can act on; only what nobody foresaw comes with its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) {
    return `${error.message}\n\ndocs/configuration.md explains every variable. For trying it out: npm run dev`
  }
  if (error instanceof DatabaseUnusable) return error.message
  if (error instanceof CannotListen) return error.message
  if (isDatabaseAway(error)) {
    return `The database cannot be used: ${awayHint(error)}. Check that it runs and that DATABASE_URL names it.`
  }
  if (!(error instanceof Error)) return String(error)
  const { code, path } = error as NodeJS.ErrnoException
  if (code && path) {
    return `${path} cannot be used (${code}). Give this user access to it, or start in another folder.`
  }
  const { type, message, stack } = describeError(error)
  return `${type}: ${message}\n${stack}`
}
