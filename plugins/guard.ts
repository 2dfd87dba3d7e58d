import fp from 'fastify-plugin'
import { createGuard } from '../src/http/guard.ts'
import { isSafe } from '../src/http/methods.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For probes of balancers and supervisors: any host name, or none (HTTP/1.0 has none). */
    probe?: true
  }
}

/** Milliseconds. Longer than a request may take to arrive, else a slow body gets two answers. */
const handlerTimeout = 15_000

export default fp(
  async (app) => {
    const guard = createGuard(app.config)
    app.addHook('onRoute', function limitHandlerTime(route) {
      // Reading ends by the deadlines of its statements; this timer would be most of what a session check costs.
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
