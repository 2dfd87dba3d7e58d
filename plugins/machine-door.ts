import { once } from 'node:events'
import { rename } from 'node:fs/promises'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { ConfigError } from '../src/config/config.ts'
import { waitingLimit } from '../src/domain/throttling/admission.ts'
import { createServer } from '../src/http/node-http.ts'
import { onClientError, onExpectation } from '../src/http/problems.ts'
import { serverLimits } from '../src/http/server-limits.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether a request came to MACHINE_LISTEN. Undefined without it. */
    isAtDoor?: (request: IncomingMessage) => boolean
  }
}

/**
 * A server of its own for the commands of other systems, so that no proxy need lead to them. It
 * serves all other routes as well. On the public server the commands are 404, and not in the
 * document.
 */
export default fp(
  async (app) => {
    const { MACHINE_LISTEN: place, HOST: host } = app.config
    if (place === undefined || app.surface === 'console') return
    const server = createServer(serverLimits, (request, response) => app.routing(request, response))
    server.maxConnections = waitingLimit
    const isAtDoor = ({ socket }: IncomingMessage) =>
      (socket as (Socket & { server?: unknown }) | undefined)?.server === server
    app.decorate('isAtDoor', isAtDoor)
    app.addConstraintStrategy({
      name: 'door',
      storage: () => new Map() as never,
      deriveConstraint: (request: IncomingMessage) => (isAtDoor(request) ? 'machine' : undefined)
    })
    app.addHook('onRoute', function closeElsewhere(route) {
      if (!route.config?.door) return
      route.constraints = { ...route.constraints, door: 'machine' }
      route.schema = { ...route.schema, hide: true }
    })
    server.on('clientError', onClientError.bind(app))
    server.on('checkExpectation', (request, response) => onExpectation(app, request, response))
    app.addHook('onReady', async function listenForCommands() {
      await listen(server, place, host)
      server.on('error', (error) => app.log.warn({ err: error }, 'the server of commands failed'))
    })
    // Before the database closes, which requests in flight need.
    app.addHook('preClose', async function closeDoor() {
      if (!server.listening) return
      server.close()
      const sweep = setInterval(() => server.closeIdleConnections(), 100)
      await once(server, 'close')
      clearInterval(sweep)
    })
  },
  { name: 'machine-door', dependencies: ['config', 'permissions'] }
)

async function listen(server: Server, place: string, host: string) {
  const isPath = place.startsWith('/')
  // Another name at first: the socket of an instance that was killed is replaced in one step.
  const path = `${place}.${process.pid}`
  server.listen(isPath ? { path } : { port: Number(place), host })
  await once(server, 'listening').catch(({ code = 'error' }: NodeJS.ErrnoException) => {
    throw new ConfigError([`MACHINE_LISTEN cannot be used (${code}): choose another port or path`])
  })
  if (isPath) await rename(path, place)
}
