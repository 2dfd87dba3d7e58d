import fp from 'fastify-plugin'
import { createGuard } from '../src/http/guard.ts'
import { isSafe } from '../src/http/methods.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For probes of load balancers and supervisors: any host name, or none, is accepted. */
    probe?: true
  }
}

/**
 * Milliseconds. Longer than a request may take to arrive, or a slow body would get two responses.
 */
const handlerTimeout = 15_000

export default fp(
  async (app) => {
    const guard = createGuard(app.config)
    app.addHook('onRoute', function limitHandlerTime(route) {
      // Reads end by the deadlines of their statements. This timer would be most of the cost of a
      // session check.
      if (!isSafe(String(route.method))) route.handlerTimeout = handlerTimeout
    })
    app.addHook('onRequest', function guardTransport(request, reply, done) {
      const problem = guard(request)
      // What follows on this connection cannot be trusted either.
      if (problem) reply.header('connection', 'close')
      done(problem)
    })
  },
  { name: 'guard', dependencies: ['config', 'helmet'] }
)
