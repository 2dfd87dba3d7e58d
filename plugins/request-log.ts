import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { maskAddress } from '../src/config/addresses.ts'
import { isSafe } from '../src/http/methods.ts'

/**
 * Logs one line for each request after the response, without query, body, full IP address or e-mail
 * address. Successful reads and flag evaluations, which apps poll, are frequent and rarely needed,
 * so they are logged at level debug.
 */
export default fp(
  async (app) => {
    const everything = ['debug', 'trace'].includes(app.log.level)
    app.addHook('onResponse', function logRequest(request, reply, done) {
      if (reply.statusCode >= 400 || !isRead(request)) {
        app.log.info(lineOf(request, reply), 'request')
      } else if (everything) app.log.debug(lineOf(request, reply), 'request')
      done()
    })
  },
  { name: 'request-log', dependencies: ['auth', 'metrics'] }
)

const isRead = ({ method, routeOptions }: FastifyRequest) =>
  isSafe(method) || routeOptions.config.ofrep === true

const lineOf = (request: FastifyRequest, reply: FastifyReply) => ({
  reqId: request.id,
  method: request.method,
  route: request.routeOptions.url ?? null,
  path: printable(request.url.split('?', 1)[0] ?? ''),
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime * 10) / 10,
  userId: request.principal?.user.id,
  sessionId: request.principal?.session.id,
  ip: maskAddress(request.ip)
})

/**
 * JSON leaves some control sequences of terminals intact: anything but printable ASCII is replaced.
 * So are long words, such as a key or a token that a client sends in the wrong place.
 */
const printable = (path: string) =>
  path
    .replace(/[^\x21-\x7e]/g, '?')
    .replace(/[\w%-]{40,}/g, '...')
    .slice(0, 200)
