import Fastify from 'fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { DomainError } from '../src/domain/domain-error.ts'
import { requiresKey } from '../src/domain/permissions.ts'
import type { Access } from '../src/domain/permissions.ts'
import { assertDeclared, gateFor, keyGateFor, refuse } from '../src/http/access.ts'
import { forExpectedUser } from '../src/http/expected-user.ts'
import type { Gate } from '../src/http/access.ts'
import { bearerKey } from '../src/http/key-authentication.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The access policy of the route. There is no default: a route without one stops the boot. */
    access?: Access
    /**
     * Pages poll it on their own, which is not a use of the session: an unattended screen must not
     * keep it alive. For GET only, so that nobody can change anything without being seen.
     */
    polled?: true
    /** With `accept=key` in the query, an API key is admitted in place of a session. */
    acceptsKeys?: true
  }
}

/**
 * The only place that reads the access policy of a route. Each route gets its own gate as an
 * onRequest hook, so access never depends on a path. The gates are compiled when all routes are
 * known; until then they reject every request.
 */
export default fp(
  async (app) => {
    const compile: (() => void)[] = []
    // A route that exists already would not get the hook below and would be open to everyone.
    if (app.printRoutes() !== Fastify().printRoutes()) {
      throw new Error(`routes were added before the access policy:\n${app.printRoutes()}`)
    }
    const noteToken = (request: FastifyRequest) => {
      if (request.tokenProblem) void app.noteRefusal(request, request.tokenProblem)
    }
    const eitherGate =
      (bySession: Gate<FastifyRequest>): Gate<FastifyRequest> =>
      (request, done) => {
        const { accept } = request.query as { accept?: unknown }
        const secret = accept === 'key' ? bearerKey(request) : undefined
        if (secret === undefined) return bySession?.(request, done)
        if (request.sessionCookies().length > 0) return done(new DomainError('two-credentials'))
        app.authenticateKey(request, done, secret)
      }
    app.addHook('onRoute', function addAccessCheck(route) {
      let gate: Gate<FastifyRequest> = refuse
      function checkAccess(request: FastifyRequest, _reply: FastifyReply, done: () => void) {
        return gate ? gate(request, done) : done()
      }
      route.onRequest = [checkAccess, ...[route.onRequest ?? []].flat()]
      compile.push(() => {
        assertDeclared(route)
        const { access, polled, acceptsKeys } = route.config ?? {}
        if (requiresKey(access)) {
          gate = keyGateFor(access, app.authenticateKey)
          return
        }
        const authenticate = polled ? app.authenticateUnseen : app.authenticate
        gate = acceptsKeys
          ? eitherGate(gateFor(access, authenticate, noteToken))
          : gateFor(access, forExpectedUser(authenticate), noteToken)
      })
    })
    app.addHook('onReady', async function compileGates() {
      for (const each of compile) each()
    })
  },
  { name: 'permissions', dependencies: ['auth', 'keys', 'refusals'] }
)
