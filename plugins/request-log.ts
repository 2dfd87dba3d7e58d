import fp from 'fastify-plugin'
import { maskAddress } from '../src/addresses.ts'

/** One line a request, when it is answered: what matters, without query, body, whole address or e-mail. */
export default fp(async (app) => {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info({
      method: request.method,
      route: request.routeOptions.url ?? null,
      path: printable(request.url.split('?', 1)[0] ?? ''),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      userId: request.principal?.user.id,
      sessionId: request.principal?.session.id,
      ip: maskAddress(request.ip)
    }, 'request')
    done()
  })
}, { name: 'request-log', dependencies: ['auth'] })

/** JSON escapes less than a terminal obeys: a path is ASCII, and what is not is nobody's address. */
const printable = (path: string) => path.replace(/[^\x21-\x7e]/g, '?').slice(0, 200)
