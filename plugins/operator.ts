import fp from 'fastify-plugin'
import { DomainError } from '../src/domain/errors.ts'
import { isSafe } from '../src/http/methods.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Not GET, but allowed in a console that only reads. */
    changesNothing?: true
  }
}

/** The rules of `portal console`, and its reports on the terminal. */
export default fp(
  async (app) => {
    const { operator } = app
    if (!operator) return
    app.addHook('onRoute', function addReadOnlyRule(route) {
      if (isSafe(String(route.method)) || route.config?.changesNothing) return
      function rejectChange(_request: unknown, _reply: unknown, done: (error?: Error) => void) {
        done(operator?.canWrite ? undefined : new DomainError('read-only'))
      }
      // After the route's access policy.
      route.onRequest = [...[route.onRequest ?? []].flat(), rejectChange]
    })
    app.addHook('onResponse', function reportChange({ id, method, routeOptions }, _reply, done) {
      if (!isSafe(method) && !routeOptions.config.changesNothing) operator.onChange(id)
      done()
    })
  },
  { name: 'operator', dependencies: ['config', 'permissions'] }
)
